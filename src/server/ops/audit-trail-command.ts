import { Refusal } from '#core/refusal.ts'
import { readAudit } from '#server/operators/read-audit.ts'
import type { Command } from './command.ts'

/** The newest events of the audit trail, or those of one subject. */
export const auditTrailCommand: Command = async (context, [verb = 'list', subject]) => {
  if (verb !== 'list')
    throw new Refusal('invalid-input', { sentence: 'Use audit list, or audit list SUBJECT.' })
  const rows = await readAudit(context, subject)
  const lines = rows.map(({ createdAt, actor, action, subject: about, details }) =>
    [createdAt.toISOString(), actor, action, about, JSON.stringify(details)].join('  '),
  )
  return { lines: lines.length === 0 ? ['No events.'] : lines, ok: true }
}
