import type { FastifyInstance } from 'fastify'
import type { OperatorRole } from '#core/operators/role.ts'
import { Refusal } from '#core/refusal.ts'
import { openConsole } from '#server/console/open-console.ts'
import { perform, type CommandName } from '#server/ops/commands.ts'
import type { OperatorContext } from '#server/operators/operator.ts'
import type { Random } from '../world/random.ts'
import { signInAs, type TestOperator } from '../world/operators.ts'
import type { ReadMail } from './post.ts'
import type { Thief } from './thief.ts'
import type { Scene } from './scene.ts'

/**
 * An operator who is signed in at the terminal and on the operators' pages. `formToken`: the token
 * in the forms of these pages.
 */
export type Entered = { operator: TestOperator; cookie: string; formToken: string }

/**
 * Somebody at the machine of one operator, with what that operator can do: every command and every
 * page of the roles. He has an account of his own as well, and begins with nothing of the victim's.
 */
export type Insider = {
  /** The operator, and others who act with him. */
  entered: readonly Entered[]
  roles: readonly OperatorRole[]
  /** Against somebody else's account; it has no loot. */
  thief: Thief
  /** The same insider as a thief in his own account. */
  own: Thief
  /** Messages that the command `mail` has shown. */
  shown: ReadMail[]
  folder: string
  /** Calls as an operator since they were last counted, and the last of them. */
  calls: number
  last: string
}

/** The product and its operators' pages. */
export type Office = { world: Scene['world']; pages: FastifyInstance }

export const openOffice = async (world: Scene['world']): Promise<Office> => ({
  world,
  pages: await openConsole(world.context, world.app),
})

export async function enter(
  { world, pages }: Office,
  { name, roles }: { name: string; roles: readonly OperatorRole[] },
): Promise<Entered> {
  const operator = await signInAs(world.context, { name, roles })
  const cookie = `operator=${operator.token}`
  const first = await pages.inject({ url: '/', headers: { cookie } })
  const { body } = await pages.inject({ url: first.headers.location ?? '/', headers: { cookie } })
  return { operator, cookie, formToken: /name="token" value="([\w-]+)"/.exec(body)?.[1] ?? '' }
}

/**
 * Settings that an operator can give a command in the environment of a shell: no limit, no hold,
 * and no mail server.
 */
function inOwnShell(context: OperatorContext): OperatorContext {
  const config = {
    ...context.config,
    PAYOUT_SECOND_PERSON_ABOVE: 1_000_000_000,
    WITHDRAWAL_HOLD_HOURS: 0,
    DEPOSIT_HOLD_HOURS: 0,
  }
  return { ...context, config, mail: { provider: 'mailbox', send: async () => 'sent' } }
}

/** Runs a command, half of the time with settings of his own. Undefined if it was refused. */
export async function command(
  insider: Insider,
  random: Random,
  [name, ...words]: readonly [CommandName, ...string[]],
): Promise<string[] | undefined> {
  let lines: string[] | undefined
  for (const {
    operator: { context },
  } of insider.entered) {
    count(insider, [name, ...words].join(' '))
    lines = (await run(random.chance(0.5) ? inOwnShell(context) : context, name, words)) ?? lines
  }
  return lines
}

function count(insider: Insider, last: string): void {
  insider.calls += 1
  insider.last = last
}

async function run(
  context: OperatorContext,
  name: CommandName,
  words: string[],
): Promise<string[] | undefined> {
  try {
    return (await perform(context, name, words)).lines
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

/** Sends a form of the operators' pages. */
export async function submit(
  { pages }: Office,
  insider: Insider,
  url: string,
  fields: Record<string, string> = {},
): Promise<void> {
  for (const { cookie, formToken } of insider.entered) {
    count(insider, url)
    const payload = new URLSearchParams({ token: formToken, ...fields }).toString()
    await pages.inject({
      method: 'POST',
      url,
      payload,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'sec-fetch-site': 'same-origin',
        cookie,
      },
    })
  }
}

export async function open({ pages }: Office, insider: Insider, url: string): Promise<void> {
  for (const { cookie } of insider.entered) {
    count(insider, url)
    await pages.inject({ url, headers: { cookie } })
  }
}
