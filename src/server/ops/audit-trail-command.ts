import { readAudit } from '#server/operators/operator.ts'
import { refusal, type Command } from './command.ts'

/** The newest events of the audit trail, or those of one subject. */
export const auditTrailCommand: Command = async (context, [verb = 'list', subject]) => {
  if (verb !== 'list') throw refusal('Use audit list, or audit list SUBJECT.')
  const rows = await readAudit(context, subject)
  const lines = rows.map(({ createdAt, actor, action, subject: about, details }) =>
    [createdAt.toISOString(), actor, action, about, JSON.stringify(details)].join('  '),
  )
  return { lines: lines.length === 0 ? ['No events.'] : lines, ok: true }
}
