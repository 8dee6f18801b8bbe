import type { ExportQuery } from '#contract/transactions.ts'

/** Whether an export includes this row. */
export function isExported(
  { botId, createdAt }: { botId: string | null; createdAt: Date },
  { bot, from, to }: ExportQuery,
): boolean {
  return (
    (bot === undefined || botId === bot) &&
    (from === undefined || createdAt >= new Date(from)) &&
    (to === undefined || createdAt < new Date(to))
  )
}
