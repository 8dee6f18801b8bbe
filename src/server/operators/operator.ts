import { auditCommand, type AuditEvent } from '#server/security/audit.ts'
import { mayDo, type Duty, type OperatorRole } from '#core/operators/role.ts'
import { Refusal } from '#core/refusal.ts'
import type { Context } from '#server/context.ts'
import type { Queries } from '#server/db/statement.ts'

export type Operator = { id: string; name: string; roles: readonly OperatorRole[] }

export type OperatorContext = Context & { operator: Operator }

/** Refuses, and audits, a duty that none of the operator's roles allows. */
export async function permit(context: OperatorContext, duty: Duty): Promise<void> {
  const { name, roles } = context.operator
  if (mayDo(roles, duty)) return
  await auditCommand(context, {
    action: 'operator.refuse',
    subject: name,
    details: { duty, roles: roles.join(' ') },
  })
  throw new Refusal('operator-role', { values: { roles: roles.join(', ') } })
}

/** Counts the enabled operators who manage others, and those who may approve payouts. */
export async function countOperators(sql: Queries): Promise<{ admins: number; payers: number }> {
  const [row] = await sql<{ admins: number; payers: number }[]>`
    select (count(*) filter (where 'admin' = any(roles)))::integer as admins,
           (count(*) filter (where 'payouts' = any(roles)))::integer as payers
      from operators where disabled_at is null`
  return row ?? { admins: 0, payers: 0 }
}

type AuditRow = Omit<AuditEvent, 'id'> & { createdAt: Date }

export async function readAudit(context: OperatorContext, subject?: string): Promise<AuditRow[]> {
  await permit(context, 'read the audit trail')
  await auditCommand(context, { action: 'audit.list', subject: subject ?? 'all' })
  return context.sql<AuditRow[]>`
    select actor, action, subject, details, created_at from audit_events
     where ${subject ?? null}::text is null or subject = ${subject ?? null}
     order by created_at desc, id desc limit 100`
}
