import { mayDo, type Duty, type OperatorRole } from '#core/operators/role.ts'
import { Refusal } from '#core/refusal.ts'
import { auditCommand } from '#server/audit.ts'
import type { Context } from '#server/context.ts'

/** An operator who is signed in. */
export type Operator = { id: string; name: string; roles: readonly OperatorRole[] }

/** The context of an operator's action. */
export type OperatorContext = Context & { operator: Operator }

/** Refuses, and audits, what none of the operator's roles may do. */
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
