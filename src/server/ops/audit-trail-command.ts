import { readAudit } from '#server/operators/operator.ts'
import { type Command } from './command.ts'
import { misused } from './usage.ts'

export const auditTrailCommand: Command = async (context, [verb = 'list', subject]) => {
  if (verb !== 'list') throw misused('audit')
  const rows = await readAudit(context, subject)
  const lines = rows.map(({ createdAt, actor, action, subject: about, details }) =>
    [createdAt.toISOString(), actor, action, about, JSON.stringify(details)].join('  '),
  )
  return { lines: lines.length === 0 ? ['No events.'] : lines, ok: true }
}
