import type { Queries } from '#server/db/open.ts'
import type { Context } from './context.ts'

export type AuditEvent = {
  id: string
  /** 'user:…', 'operator:…' or 'system'. */
  actor: string
  action: string
  /** What it was done to: an id. */
  subject: string
  details: Record<string, string>
}

/** Writes who did what, in the transaction that does it; the database lets nobody change it afterwards. */
export async function writeAudit(tx: Queries, { id, actor, action, subject, details }: AuditEvent): Promise<void> {
  await tx`
    insert into audit_events (id, actor, action, subject, details)
    values (${id}, ${actor}, ${action}, ${subject}, ${JSON.stringify(details)}::text::jsonb)`
}

/** Who runs this command: the name in OPERATOR. */
export function operatorOf({ config }: Context): string {
  return `operator:${config.OPERATOR ?? 'unnamed'}`
}

/** Writes what an operator did where no transaction of its own does it: looking is an action too. */
export async function auditCommand(context: Context, { action, subject, details = {} }: CommandEvent): Promise<void> {
  await writeAudit(context.sql, { id: context.newId(), actor: operatorOf(context), action, subject, details })
}

type CommandEvent = Pick<AuditEvent, 'action' | 'subject'> & Partial<Pick<AuditEvent, 'details'>>
