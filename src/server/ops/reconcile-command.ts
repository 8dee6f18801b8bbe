import { auditCommand } from '#server/audit.ts'
import { reconcile } from '#server/ledger/reconcile.ts'
import { CHECKS } from '#server/ledger/reconcile-checks.ts'
import type { Command } from './command.ts'

export const reconcileCommand: Command = async (context) => {
  const differences = await reconcile(context.sql)
  await auditCommand(context, { action: 'reconcile', subject: 'book', details: { differences: String(differences.length) } })
  if (differences.length === 0) return { lines: [`The book is in order: ${CHECKS.length} checks.`], ok: true }
  return { lines: differences.map(({ check, subject, finding }) => `DIFFERS  ${check}\n         ${subject}: ${finding}`), ok: false }
}
