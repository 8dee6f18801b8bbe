import { join } from 'node:path'
import type { CommandName } from '#server/ops/commands.ts'
import type { Random } from '../world/random.ts'
import { command, open, submit, type Insider, type Office } from './insider.ts'
import { signIn, STEPS, withdraw } from './steps.ts'

/** An attempt of an insider. If it succeeded in the victim's account, returns the step's name. */
export type InsiderStep = (
  office: Office,
  insider: Insider,
  random: Random,
) => Promise<string | undefined>

const REASON = ['asked', 'by', 'telephone']

async function withdrawalOf(
  { world }: Office,
  { thief, own }: Insider,
  random: Random,
): Promise<string> {
  const rows = await world.context.sql<
    { id: string }[]
  >`select id from withdrawal_requests where user_id in (${own.victim.id}, ${thief.victim.id})
    order by id desc limit 6`
  return rows.length === 0 ? '01234567-89ab-7def-8123-456789abcdef' : random.pick(rows).id
}

async function batchOf({ world }: Office, random: Random): Promise<string> {
  const [row] = await world.context.sql<
    { newest: number | null }[]
  >`select max(number) as newest from payout_batches`
  return String(Math.max(1, (row?.newest ?? 1) - random.below(2)))
}

const somebody = ({ thief, own }: Insider, random: Random): string =>
  random.pick([thief, own]).victim.username

type Words = (
  office: Office,
  insider: Insider,
  random: Random,
) => Promise<readonly string[]> | readonly string[]

/**
 * Arguments of each command. Undefined for commands that ask for a password at the terminal, and
 * only sign in or out its owner.
 */
const WORDS: Record<CommandName, Words | undefined> = {
  withdrawals: async (office, insider, random) => {
    const verb = random.pick([
      'list',
      'review',
      'approve',
      'approve',
      'reject',
      'mark-paid',
      'mark-failed',
      'mark-returned',
    ])
    return verb === 'list' ? [verb] : [verb, await withdrawalOf(office, insider, random)]
  },
  payouts: async (office, { folder }, random) => {
    const verb = random.pick(['list', 'export', 'export', 'again', 'mark-paid', 'mark-failed'])
    if (verb === 'list') return [verb]
    if (verb === 'export') return [verb, folder]
    return verb === 'again'
      ? ['export', folder, await batchOf(office, random)]
      : [verb, await batchOf(office, random)]
  },
  halt: () => REASON,
  resume: () => [],
  venue: (_office, _insider, random) =>
    random.chance(0.3)
      ? ['compare']
      : [random.pick(['funded', 'withdrew']), '1000', `wire-${random.below(1_000_000)}`],
  interest: (_office, _insider, random) =>
    random.chance(0.3) ? [] : ['funded', '1000', `coupon-${random.below(1_000_000)}`],
  mail: (_office, insider, random) => [somebody(insider, random)],
  user: (_office, insider, random) => {
    const verb = random.pick([
      [],
      ['freeze', ...REASON],
      ['unfreeze'],
      ['release-holds', ...REASON],
      ['end-sessions'],
    ])
    return [somebody(insider, random), ...verb]
  },
  audit: (_office, { thief }, random) => ['list', ...random.pick([[], [thief.victim.id]])],
  reconcile: () => [],
  backup: (_office, { folder }, random) => [join(folder, `backup-${random.below(2 ** 30)}`)],
  restore: (_office, { folder }) => [join(folder, 'backup')],
  operator: (_office, _insider, random) =>
    random.pick([
      ['list'],
      ['disable', 'Root'],
      ['add', `another${random.below(2 ** 30)}`, '--role', 'payouts'],
    ]),
  'sign-in': undefined,
  'sign-out': undefined,
  distribute: () => [],
}

const COMMANDS = Object.keys(WORDS) as CommandName[]
/** Commands that read the whole book. */
const SLOW: readonly CommandName[] = ['reconcile', 'backup']

const anyCommand: InsiderStep = async (office, insider, random) => {
  const name = random.pick(COMMANDS)
  const words = WORDS[name]
  if (words === undefined || (SLOW.includes(name) && random.chance(0.9))) return undefined
  return use(office, insider, random, name)
}

async function use(
  office: Office,
  insider: Insider,
  random: Random,
  name: CommandName,
): Promise<undefined> {
  const lines = await command(insider, random, [
    name,
    ...((await WORDS[name]?.(office, insider, random)) ?? []),
  ])
  if (name === 'mail' && lines) insider.shown.push(...messagesIn(lines))
}

/** The messages that the command `mail` shows. */
function messagesIn(lines: readonly string[]): { subject: string; text: string }[] {
  const begins = lines.flatMap((line, index) => (/^\d{4}-\d\d-.* {2}@/.test(line) ? [index] : []))
  return begins.map((begin, index) => ({
    subject: lines[begin + 1] ?? '',
    text: lines.slice(begin + 2, begins[index + 1]).join('\n'),
  }))
}

const anyForm: InsiderStep = async (office, insider, random) => {
  const id = await withdrawalOf(office, insider, random)
  const name = somebody(insider, random)
  const [url, fields] = random.pick<[string, Record<string, string>]>([
    [`/withdrawals/${id}/approve`, {}],
    [`/withdrawals/${id}/reject`, {}],
    [`/users/${name}/freeze`, { reason: 'asked' }],
    [`/users/${name}/unfreeze`, {}],
    [`/users/${name}/end-sessions`, {}],
    [`/users/${name}/release-holds`, { reason: 'asked' }],
  ])
  await submit(office, insider, url, fields)
  return undefined
}

const anyPage: InsiderStep = async (office, insider, random) => {
  await open(
    office,
    insider,
    random.pick(['/withdrawals', `/users?name=${somebody(insider, random)}`, '/audit']),
  )
  return undefined
}

/** Steps against the victim's account, as any thief makes them. */
const anyTheft: InsiderStep = async ({ world }, { thief }, random) => {
  const [name, run] =
    thief.password === undefined || thief.cookie !== undefined
      ? random.pick(Object.entries(STEPS))
      : (['signIn', signIn] as const)
  return (await run(world, thief, random)) ? name : undefined
}

/** Asks for a link to a new password, reads it where the messages are kept, and uses it. */
const takeByReset: InsiderStep = async (office, insider, random) => {
  const { thief } = insider
  if (thief.password !== undefined) return anyTheft(office, insider, random)
  if (random.chance(0.3))
    return (await STEPS['askForReset']?.(office.world, thief, random)) ? 'askForReset' : undefined
  await use(office, insider, random, 'mail')
  return (await STEPS['reset']?.(office.world, thief, random)) ? 'reset' : undefined
}

/** Withdraws all of his own money to his own bank account. */
const withdrawOwn: InsiderStep = async ({ world }, { own }) => {
  if (own.cookie === undefined) await signIn(world, own, NEVER)
  await withdraw(world, own, null, 1)
  return undefined
}

const NEVER: Random = {
  below: () => 0,
  chance: () => false,
  pick: ([first]) => first as never,
  units: () => 1n,
}

/**
 * Moves a withdrawal of his towards the bank, and one that has reached it back, so that it can go
 * there again.
 */
const forward: InsiderStep = async (office, insider, random) => {
  const { world } = office
  const { thief, own, folder } = insider
  const isVictims = thief.withdrawals.length > 0 && random.chance(0.5)
  const rows = await world.context.sql<{ id: string; state: string }[]>`
    select id, state from withdrawal_requests
     where user_id = ${isVictims ? thief.victim.id : own.victim.id}
       and state not in ('rejected', 'canceled', 'failed', 'returned') order by id desc limit 1`
  const [{ id, state } = { id: '', state: 'none' }] = rows
  if (state === 'none') return withdrawOwn(office, insider, random)
  if (isVictims && random.chance(0.3))
    await command(insider, random, ['user', thief.victim.username, 'release-holds', ...REASON])
  const words = NEXT[state]?.(id, folder) ?? ['payouts', 'list']
  await command(insider, random, words)
  return undefined
}

const NEXT: Partial<Record<string, (id: string, folder: string) => [CommandName, ...string[]]>> = {
  pending: (id) => ['withdrawals', 'approve', id],
  in_review: (id) => ['withdrawals', 'approve', id],
  approved: (_id, folder) => ['payouts', 'export', folder],
  submitted: (id) => ['withdrawals', 'mark-failed', id],
  paid: (id) => ['withdrawals', 'mark-returned', id],
}

export const ANY: readonly InsiderStep[] = [anyCommand, anyForm, anyPage, anyTheft, takeByReset]
export const TO_MONEY: readonly InsiderStep[] = [
  withdrawOwn,
  forward,
  forward,
  forward,
  anyForm,
  takeByReset,
]
