import { renderUnicodeCompact } from 'uqr'
import { readRoles } from '#core/operators/role.ts'
import { Refusal } from '#core/refusal.ts'
import {
  addOperator,
  checkOperatorPassword,
  checkPerson,
  disableOperator,
  listOperators,
  newSecret,
  type AddingContext,
  type NewOperator,
} from '#server/operators/add-operator.ts'
import type { OperatorContext } from '#server/operators/operator.ts'
import { done, refusal, type CommandResult, type UnattendedCommand } from './command.ts'
import { misused } from './usage.ts'
import { openTerminal } from './terminal.ts'

/** Adds the first admin without a sign-in; admins add everybody else. */
export const operatorCommand: UnattendedCommand = async (
  context,
  [verb = 'list', name = '', flag, roleText = '', ...rest],
) => {
  const { operator } = context
  if (verb === 'add') {
    const roles = readRoles(roleText)
    if (name === '' || flag !== '--role' || roles === undefined || rest.length > 0)
      throw misused('operator')
    return add({ ...context, operator }, { name, roles })
  }
  if (operator === undefined) throw new Refusal('operator-signed-out')
  if (verb === 'list' && name === '') return list({ ...context, operator })
  if (verb !== 'disable' || name === '' || flag !== undefined) throw misused('operator')
  await disableOperator({ ...context, operator }, name)
  return done(`${name} can no longer sign in.`)
}

/**
 * Adds an operator, who must type the password and scan the code personally, so that nobody else
 * sees them.
 */
async function add(context: AddingContext, person: NewOperator): Promise<CommandResult> {
  await checkPerson(context, person)
  const terminal = openTerminal()
  try {
    const password = await terminal.ask(`Password of ${person.name}`, { hidden: true })
    checkOperatorPassword(context, { name: person.name, password })
    if ((await terminal.ask('The same password again', { hidden: true })) !== password)
      throw refusal('The two passwords differ. Nobody was added.')
    const { secret, uri } = newSecret(person.name)
    terminal.say(
      'Scan this with an authenticator app. It is shown only ' +
        `now.\n${renderUnicodeCompact(uri)}\n${uri}`,
    )
    const code = await terminal.ask('Code that the app shows')
    await addOperator(context, { ...person, password, secret, code })
  } finally {
    terminal.close()
  }
  return done(
    `${person.name} is an operator: ${person.roles.join(', ')}. Sign in with the app's next ` +
      `code: npm run ops -- sign-in ${person.name}`,
  )
}

async function list(context: OperatorContext): Promise<CommandResult> {
  const lines = (await listOperators(context)).map(({ name, roles, createdAt, disabledAt }) =>
    [
      name,
      roles.join(','),
      `since ${createdAt.toISOString().slice(0, 10)}`,
      ...(disabledAt === null ? [] : [`disabled ${disabledAt.toISOString().slice(0, 10)}`]),
    ].join('  '),
  )
  return done(...lines)
}
