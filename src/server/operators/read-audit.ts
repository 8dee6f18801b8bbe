import { auditCommand, type AuditEvent } from '#server/security/audit.ts'
import { permit, type OperatorContext } from './operator.ts'

export type AuditRow = Omit<AuditEvent, 'id'> & { createdAt: Date }

/** The newest 100 events, or those of one subject. */
export async function readAudit(context: OperatorContext, subject?: string): Promise<AuditRow[]> {
  await permit(context, 'read the audit trail')
  await auditCommand(context, { action: 'audit.list', subject: subject ?? 'all' })
  return context.sql<AuditRow[]>`
    select actor, action, subject, details, created_at from audit_events
     where ${subject ?? null}::text is null or subject = ${subject ?? null}
     order by created_at desc, id desc limit 100`
}
