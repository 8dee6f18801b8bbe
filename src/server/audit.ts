import type { Queries } from '#server/db/statement.ts'
import type { Context } from './context.ts'

export type AuditEvent = {
  id: string
  /** 'user:…', 'operator:…' or 'system'. */
  actor: string
  action: string
  /** Id of the object that was acted on. */
  subject: string
  details: Record<string, string>
}

/** Writes an audit event in the transaction of its action; the database forbids later changes. */
export async function writeAudit(tx: Queries, { id, actor, action, subject, details }: AuditEvent): Promise<void> {
  await tx`
    insert into audit_events (id, actor, action, subject, details)
    values (${id}, ${actor}, ${action}, ${subject}, ${JSON.stringify(details)}::text::jsonb)`
}

/** The operator who runs this command, as named in OPERATOR. */
export function operatorOf({ config }: Context): string {
  return `operator:${config.OPERATOR ?? 'unnamed'}`
}

/** Audits an operator's command that has no transaction of its own: reading is audited too. */
export async function auditCommand(context: Context, { action, subject, details = {} }: CommandEvent): Promise<void> {
  await writeAudit(context.sql, { id: context.newId(), actor: operatorOf(context), action, subject, details })
}

type CommandEvent = Pick<AuditEvent, 'action' | 'subject'> & Partial<Pick<AuditEvent, 'details'>>
