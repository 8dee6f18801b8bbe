import type { Book } from '#server/db/book.ts'
import type { Context } from '#server/context.ts'
import { contentOfEvent } from '#server/kernel/seal.ts'

export type AuditEvent = {
  id: string
  /** 'user:…', 'operator:…' or 'system'. */
  actor: string
  action: string
  subject: string
  details: Record<string, string>
}

/**
 * Writes an event. Must run in the transaction of its action. The database refuses later changes,
 * and the seal reveals them.
 */
export async function writeAudit({ sql, seals }: Book, event: AuditEvent): Promise<void> {
  const { id, actor, action, subject, details } = event
  const seal = seals.sealOf('audit event', contentOfEvent(event))
  await sql`
    insert into audit_events (id, actor, action, subject, details, seal)
    values (${id}, ${actor}, ${action}, ${subject}, ${JSON.stringify(details)}::text::jsonb,
           ${seal})`
}

/** The operator's name in the audit trail; 'system' for unattended commands. */
export function operatorOf({ operator }: { operator?: { name: string } | undefined }): string {
  return operator === undefined ? 'system' : `operator:${operator.name}`
}

type Act = Pick<AuditEvent, 'action' | 'subject'> & Partial<Pick<AuditEvent, 'details'>>

/**
 * Writes the audit event of a command, within `tx` if given. Commands that only read are audited
 * too.
 */
export async function auditCommand(
  context: Book & Pick<Context, 'newId'> & Parameters<typeof operatorOf>[0],
  act: Act,
  tx: Book = context,
): Promise<void> {
  await writeAudit(tx, { details: {}, ...act, id: context.newId(), actor: operatorOf(context) })
}

/** Writes the audit event of a user. `subject`: default, the user's own account. */
export async function auditUser(
  { newId }: Pick<Context, 'newId'>,
  tx: Book,
  { userId, ...act }: { userId: string } & Partial<Act> & Pick<Act, 'action'>,
): Promise<void> {
  await writeAudit(tx, {
    subject: userId,
    details: {},
    ...act,
    id: newId(),
    actor: `user:${userId}`,
  })
}
