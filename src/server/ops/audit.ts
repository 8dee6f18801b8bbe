import type { Queries } from '#server/db/open.ts'

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
