import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { TOTP } from 'otpauth'
import type { OperatorRole } from '#core/operators/role.ts'
import type { Context } from '#server/context.ts'
import { addOperator, newSecret } from '#server/operators/add-operator.ts'
import { type Operator, type OperatorContext, countOperators } from '#server/operators/operator.ts'
import { operatorOfToken, signIn } from '#server/operators/sign-in.ts'

export const OPERATOR_PASSWORD = 'a copper kettle at noon'

export type TestOperator = { name: string; secret: string; token: string; context: OperatorContext }

const PERIOD_MS = 30_000

/**
 * The code of an authenticator app, now or some periods later. The product accepts each code once,
 * and none older than the last.
 */
export function codeOf(
  secret: string,
  { at = new Date(), periods = 0 }: { at?: Date; periods?: number } = {},
): string {
  return new TOTP({ secret }).generate({ timestamp: at.getTime() + periods * PERIOD_MS })
}

/** The first operator, who adds the others. */
async function rootOf(context: Context): Promise<Operator> {
  const { admins } = await countOperators(context.sql)
  if (admins === 0) {
    const { secret } = newSecret('Root')
    await addOperator(
      { ...context, operator: undefined },
      {
        name: 'Root',
        roles: ['admin'],
        password: OPERATOR_PASSWORD,
        secret,
        code: codeOf(secret, { at: context.now() }),
      },
    )
  }
  return { id: context.newId(), name: 'Root', roles: ['admin'] }
}

/**
 * Adds an operator as an admin does, and signs them in with password and code. Returns their
 * context.
 */
export async function signInAs(
  context: Context,
  { name, roles }: { name: string; roles: readonly OperatorRole[] },
): Promise<TestOperator> {
  const admin = await rootOf(context)
  const { secret } = newSecret(name)
  const at = context.now()
  await addOperator(
    { ...context, operator: admin },
    { name, roles, password: OPERATOR_PASSWORD, secret, code: codeOf(secret, { at, periods: -1 }) },
  )
  const { token } = await signIn(context, {
    name,
    password: OPERATOR_PASSWORD,
    code: codeOf(secret, { at }),
    address: 'terminal',
  })
  const operator = await operatorOfToken(context, token)
  if (operator === undefined) throw new Error(`${name} is not signed in`)
  return { name, secret, token, context: { ...context, operator } }
}

/**
 * An operator that is not in the database, for steps that one person can take: only the second
 * person of two must be on record.
 */
export function actingAs(context: Context, name: string): OperatorContext {
  return { ...context, operator: { id: context.newId(), name, roles: ['payouts', 'support'] } }
}

type Conversation = {
  words: readonly string[]
  env: Record<string, string>
  answers: (asked: string) => string
}

/** Runs a command that asks questions, as an operator who types an answer to each. */
export async function converse({
  words,
  env,
  answers,
}: Conversation): Promise<{ code: number | null; said: string; shown: string }> {
  const child = spawn(process.execPath, ['src/server/ops/main.ts', ...words], {
    env: { ...process.env, MARKET_FEED: 'simulated', ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let said = ''
  let shown = ''
  let answered = 0
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => {
    shown += chunk.toString()
    if (!shown.slice(answered).endsWith(': ')) return
    answered = shown.length
    child.stdin.write(`${answers(shown)}\n`)
  })
  await once(child, 'close')
  return { code: child.exitCode, said: said.trimEnd(), shown }
}

/**
 * Answers the questions of `operator add` and `sign-in` with this password, and with codes of the
 * secret that was shown, or is known.
 */
export function typed({
  password = OPERATOR_PASSWORD,
  secret,
  periods = 0,
}: {
  password?: string
  secret?: string
  periods?: number
}): (shown: string) => string {
  return (shown) => {
    if (!/[cC]ode[^:]*: $/.test(shown)) return password
    return codeOf(secretIn(shown) ?? secret ?? '', { periods })
  }
}

/** The secret in the address that an authenticator app scans. */
export function secretIn(shown: string): string | undefined {
  return /otpauth:\S+[?&]secret=([A-Z2-7]+)/.exec(shown)?.[1]
}

/**
 * Signs in only by commands: adds the first operator, who adds Grace. Her next code is that of the
 * following period.
 */
export async function signInFirst(
  env: Record<string, string>,
  roles = 'support',
): Promise<{ name: string; secret: string }> {
  const ask = async (words: string[], answers: (shown: string) => string) => {
    const { code, shown } = await converse({ words, env, answers })
    if (code !== 0) throw new Error(`${words.join(' ')}: ${shown}`)
    return shown
  }
  const root = secretIn(
    await ask(['operator', 'add', 'Root', '--role', 'admin'], typed({ periods: -1 })),
  )
  await ask(['sign-in', 'Root'], typed({ ...(root && { secret: root }) }))
  const other = secretIn(
    await ask(['operator', 'add', 'Grace', '--role', roles], typed({ periods: -1 })),
  )
  await ask(['sign-in', 'Grace'], typed({ ...(other && { secret: other }) }))
  return { name: 'Grace', secret: other ?? '' }
}
