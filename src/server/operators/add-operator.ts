import { checkUsername, usernameKey } from '#core/auth/credentials.ts'
import { authenticatorCodeOf } from '#core/auth/recovery-code.ts'
import { areApart, type OperatorRole } from '#core/operators/role.ts'
import { Refusal } from '#core/refusal.ts'
import { auditCommand, writeAudit } from '#server/security/audit.ts'
import { authenticatorUri, newAuthenticatorSecret, stepOfCode } from '#server/auth/authenticator.ts'
import { hashPassword } from '#server/auth/password.ts'
import { checkNewPassword } from '#server/auth/password-lists.ts'
import type { Context } from '#server/context.ts'
import type { Queries } from '#server/db/statement.ts'
import { violates } from '#server/db/connection.ts'
import { seal } from '#server/kernel/sealed.ts'
import { permit, type Operator, type OperatorContext, countOperators } from './operator.ts'
import { TERMINAL } from './sign-in.ts'
import {
  disable,
  findOperatorByName,
  findOperators,
  insertOperator,
  lockOperators,
} from './store.ts'

/** `operator` is undefined while nobody manages operators yet. */
export type AddingContext = Context & { operator: Operator | undefined }

export type NewOperator = { name: string; roles: readonly OperatorRole[] }

/** Longer than users' passwords, because operators decide about everybody's money. */
const PASSWORD_MINIMUM = 12

/** Refuses, before anything is typed, an operator who may not add this person. */
export async function checkPerson(
  context: AddingContext,
  { name, roles }: NewOperator,
): Promise<void> {
  checkUsername(name)
  if (!areApart(roles))
    throw new Refusal('invalid-input', {
      sentence:
        'One operator cannot be both admin and payouts: whoever adds operators must not ' +
        'approve payouts.',
    })
  await mayAdd(context, { sql: context.sql, roles })
  const known = await findOperators(context.sql)
  if (known.some((other) => usernameKey(other.name) === usernameKey(name))) throw taken(name)
}

/**
 * The first admin needs no permission, because whoever can run the first command of a new book
 * controls its database anyway.
 */
async function mayAdd(
  context: AddingContext,
  { sql, roles }: { sql: Queries; roles: readonly OperatorRole[] },
): Promise<void> {
  const { operator } = context
  if ((await countOperators(sql)).admins > 0) {
    if (operator === undefined) throw new Refusal('operator-signed-out')
    return permit({ ...context, operator }, 'manage operators')
  }
  if (!roles.includes('admin'))
    throw new Refusal('invalid-input', {
      sentence: 'Nobody manages operators yet: add the first one with --role admin.',
    })
}

export function checkOperatorPassword(
  { config }: Context,
  { name, password }: { name: string; password: string },
): void {
  checkNewPassword(
    { ...config, PASSWORD_MINIMUM: Math.max(PASSWORD_MINIMUM, config.PASSWORD_MINIMUM) },
    password,
    { username: name, field: 'password' },
  )
}

export function newSecret(name: string): { secret: string; uri: string } {
  const secret = newAuthenticatorSecret()
  return { secret, uri: authenticatorUri({ secret, username: `operator ${name}` }) }
}

type Confirmed = NewOperator & { password: string; secret: string; code: string }

export async function addOperator(
  context: AddingContext,
  { name, roles, password, secret, code: typed }: Confirmed,
): Promise<void> {
  const { atomically, config, newId, now, operator } = context
  const code = authenticatorCodeOf(typed)
  const lastStep = code === undefined ? undefined : stepOfCode({ secret, code, at: now() })
  if (lastStep === undefined) throw new Refusal('wrong-code')
  checkOperatorPassword(context, { name, password })
  const id = newId()
  const hash = await hashPassword(password, TERMINAL)
  const secretSealed = seal({
    text: secret,
    userId: id,
    secret: config.SESSION_SECRET,
    purpose: 'operators',
  })
  const add = () =>
    atomically(async (tx) => {
      await lockOperators(tx.sql)
      await mayAdd(context, { sql: tx.sql, roles })
      await insertOperator(tx.sql, {
        id,
        name,
        nameKey: usernameKey(name),
        password: hash,
        secretSealed,
        lastStep,
        roles: [...roles],
      })
      const actor = operator === undefined ? 'system' : `operator:${operator.name}`
      await writeAudit(tx, {
        id: newId(),
        actor,
        action: 'operator.add',
        subject: name,
        details: { roles: roles.join(' ') },
      })
    })
  await add().catch((error: unknown) => {
    throw violates(error, 'operators_name') ? taken(name) : error
  })
}

const taken = (name: string) =>
  new Refusal('invalid-input', {
    sentence: `There is an operator ${name} already, or was one: names are not used twice.`,
  })

/** Everybody who is or was an operator. */
export async function listOperators(context: OperatorContext): ReturnType<typeof findOperators> {
  await permit(context, 'manage operators')
  await auditCommand(context, { action: 'operator.list', subject: 'operators' })
  return findOperators(context.sql)
}

/**
 * Disables an operator, whose open approvals no longer count. The name stays in the audit trail.
 */
export async function disableOperator(context: OperatorContext, name: string): Promise<void> {
  await permit(context, 'manage operators')
  await context.atomically(async (tx) => {
    await lockOperators(tx.sql)
    const found = await findOperatorByName(tx.sql, usernameKey(name))
    if (found === undefined)
      throw new Refusal('not-found', { sentence: `There is no operator ${name}.` })
    await disable(tx.sql, found.id)
    if ((await countOperators(tx.sql)).admins === 0)
      throw new Refusal('invalid-input', {
        sentence: 'Somebody must manage operators: add another admin first.',
      })
    await writeAudit(tx, {
      id: context.newId(),
      actor: `operator:${context.operator.name}`,
      action: 'operator.disable',
      subject: found.name,
      details: {},
    })
  })
}
