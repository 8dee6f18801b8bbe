import { reconcile } from '#server/ledger/reconcile.ts'
import { CHECKS } from '#server/ledger/reconcile-checks.ts'
import type { Command } from './command.ts'

export const reconcileCommand: Command = async ({ sql }) => {
  const differences = await reconcile(sql)
  if (differences.length === 0) return { lines: [`The book is in order: ${CHECKS.length} checks.`], ok: true }
  return { lines: differences.map(({ check, subject, finding }) => `DIFFERS  ${check}\n         ${subject}: ${finding}`), ok: false }
}
