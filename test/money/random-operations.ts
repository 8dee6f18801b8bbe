import type { RouteName } from '#contract/routes.ts'
import { Refusal } from '#core/refusal.ts'
import type { WithdrawalAction, WithdrawalState } from '#core/withdrawals/withdrawal.ts'
import { actOnWithdrawal } from '#server/withdrawals/act-on-withdrawal.ts'
import type { Random } from '../world/random.ts'
import { BANK_ACCOUNT, TEST_CARD, type TestUser, type World } from '../world/world.ts'

/** A user in a random walk, with the ids that operations may use. */
export type Walker = {
  user: TestUser
  intents: { id: string; secret: string }[]
  bots: string[]
  accounts: string[]
  withdrawals: string[]
}
export type Walk = { world: World; random: Random; walkers: readonly Walker[] }

/** The user of an operation, and whether the product accepted or refused it. */
export type Step = { walker: Walker; accepted: boolean }
type Operation = { weight: number; run: (walk: Walk, walker: Walker) => Promise<boolean> }

const GARBAGE = [
  '-5',
  '1e3',
  '',
  ' 10',
  'NaN',
  '10.001',
  '0',
  '0.00',
  null,
  true,
  [],
  {},
  '9'.repeat(400),
  1e21,
  '99999999',
] as const
const NOBODYS = '01890000-0000-7000-8000-000000000000'

/** Operations of users, operators and the market; about as many are invalid as valid. */
export const OPERATIONS: Record<string, Operation> = {
  'create an intent': { weight: 9, run: createIntent },
  'pay by card': { weight: 8, run: payByCard },
  'confirm a deposit': { weight: 9, run: confirmDeposit },
  'create a bot': { weight: 10, run: createBot },
  'pause, resume, rename or change a bot': { weight: 10, run: updateBot },
  'put money into a bot': { weight: 4, run: topUpBot },
  'take money out of a bot': { weight: 4, run: takeOutOfBot },
  'delete a bot': { weight: 5, run: deleteBot },
  'stop all bots': { weight: 0.3, run: async (_walk, { user }) => accepted(user, 'stopAll', {}) },
  'add a bank account': { weight: 3, run: addBankAccount },
  'remove a bank account or make it the default': { weight: 3, run: changeBankAccount },
  'ask for a withdrawal': { weight: 12, run: requestWithdrawal },
  'cancel a withdrawal': { weight: 4, run: cancelWithdrawal },
  'act on a withdrawal': { weight: 18, run: actAsOperator },
  'let hours pass': { weight: 5, run: letHoursPass },
  'restart the engine': { weight: 0.4, run: restartEngine },
}

/** Runs an operation, drawn by weight, for a random walker. */
export async function takeStep(walk: Walk): Promise<Step & { name: string }> {
  const { random, walkers } = walk
  const all = Object.entries(OPERATIONS)
  let at =
    (random.below(1_000_000) / 1_000_000) * all.reduce((sum, [, { weight }]) => sum + weight, 0)
  const [name, { run }] = all.find(([, { weight }]) => (at -= weight) < 0) ?? random.pick(all)
  const walker = random.pick(walkers)
  return { name, walker, accepted: await run(walk, walker) }
}

type Ask = { params?: unknown; body?: unknown; query?: unknown; key?: string }

async function answered(
  user: TestUser,
  name: RouteName,
  ask: Ask,
): Promise<{ ok: boolean; body: unknown }> {
  const { status, body } = await user.ask(name, ask)
  if (status >= 500)
    throw new Error(`${name} ${JSON.stringify(ask)} answered ${status}: ${JSON.stringify(body)}`)
  return { ok: status < 400, body }
}

async function accepted(user: TestUser, name: RouteName, ask: Ask): Promise<boolean> {
  return (await answered(user, name, ask)).ok
}

/** Mostly an id of the walker's own, sometimes another user's or an unknown one. */
function anId(
  { random, walkers }: Walk,
  mine: readonly string[],
  of: 'bots' | 'accounts' | 'withdrawals',
): string {
  const others = random.pick(walkers)[of]
  const from = random.chance(0.85) ? mine : others
  return from.length > 0 ? random.pick(from) : NOBODYS
}

function cents(random: Random, most: number): string {
  return `${random.below(most)}.${String(random.below(100)).padStart(2, '0')}`
}

async function createIntent({ random }: Walk, walker: Walker): Promise<boolean> {
  const amount = random.chance(0.15) ? random.pick(GARBAGE) : cents(random, 2_000)
  const { ok, body } = await answered(walker.user, 'createPaymentIntent', { body: { amount } })
  const { paymentIntentId: id, clientSecret: secret } = body as {
    paymentIntentId: string
    clientSecret: string
  }
  if (ok) walker.intents.push({ id, secret })
  return ok
}

async function payByCard({ random, walkers }: Walk, walker: Walker): Promise<boolean> {
  const intent = (random.chance(0.9) ? walker : random.pick(walkers)).intents.at(-1)
  const number = random.chance(0.75)
    ? TEST_CARD.number
    : random.pick(['4000000000000002', '4000002760003184', '1'])
  return accepted(walker.user, 'payWithSandboxCard', {
    body: { ...TEST_CARD, clientSecret: intent?.secret ?? 'none', number },
  })
}

/** Sometimes four times concurrently: the deposit must be credited once. */
async function confirmDeposit({ random, walkers }: Walk, walker: Walker): Promise<boolean> {
  const from = random.chance(0.9) ? walker : random.pick(walkers)
  const intent = random.chance(0.7)
    ? from.intents.at(-1)
    : from.intents[random.below(Math.max(1, from.intents.length))]
  const body = { paymentIntentId: intent?.id ?? 'none', amount: '9999999' }
  const times = random.chance(0.15) ? 4 : 1
  const answers = await Promise.all(
    Array.from({ length: times }, () => accepted(walker.user, 'confirmDeposit', { body })),
  )
  return answers.includes(true)
}

async function createBot({ random, world }: Walk, walker: Walker): Promise<boolean> {
  const { pairs } = world.context.feed
  const tradingPairs = random.chance(0.08)
    ? random.pick([[], ['DOGE/USDT'], [pairs[0], pairs[0]]])
    : pairs.filter(() => random.chance(0.6))
  const investmentAmount = random.chance(0.1)
    ? random.pick(GARBAGE)
    : cents(random, random.pick([3, 300, 3_000]))
  const name = random.chance(0.95) ? `Bot ${random.below(1_000)}` : ' '
  const riskLevel = random.chance(0.97)
    ? random.pick(['conservative', 'moderate', 'aggressive'])
    : 'reckless'
  const ask = {
    body: { name, riskLevel, tradingPairs, investmentAmount },
    ...(random.chance(0.5) && { key: `k${random.below(400)}` }),
  }
  const { ok, body } = await answered(walker.user, 'createBot', ask)
  if (ok) walker.bots.push((body as { id: string }).id)
  return ok
}

async function updateBot(walk: Walk, walker: Walker): Promise<boolean> {
  const { random } = walk
  const tradingPairs = walk.world.context.feed.pairs.filter(() => random.chance(0.5))
  const settings = {
    tradingPairs,
    riskLevel: random.pick(['conservative', 'moderate', 'aggressive', 'reckless']),
  }
  const body = random.pick([
    settings,
    settings,
    { isActive: true },
    { isActive: false },
    { name: `Renamed ${random.below(99)}` },
    { name: '' },
    { isActive: 'no' },
    { invested: 1 },
  ])
  return accepted(walker.user, 'updateBot', {
    params: { id: anId(walk, walker.bots, 'bots') },
    body,
  })
}

async function topUpBot(walk: Walk, walker: Walker): Promise<boolean> {
  const { random } = walk
  const amount = random.chance(0.1) ? random.pick(GARBAGE) : cents(random, random.pick([3, 300]))
  const key = random.chance(0.5) ? { key: `t${random.below(400)}` } : {}
  return accepted(walker.user, 'topUpBot', {
    params: { id: anId(walk, walker.bots.slice(-6), 'bots') },
    body: { amount },
    ...key,
  })
}

async function takeOutOfBot(walk: Walk, walker: Walker): Promise<boolean> {
  const { random } = walk
  const percent = random.chance(0.1) ? random.pick(GARBAGE) : random.pick([1, 25, 50, 75, 99])
  return accepted(walker.user, 'takeOutOfBot', {
    params: { id: anId(walk, walker.bots.slice(-6), 'bots') },
    body: { percent },
  })
}

async function deleteBot(walk: Walk, walker: Walker): Promise<boolean> {
  return accepted(walker.user, 'deleteBot', { params: { id: anId(walk, walker.bots, 'bots') } })
}

async function addBankAccount({ random }: Walk, walker: Walker): Promise<boolean> {
  const wrong = random.pick([
    {},
    {},
    {},
    { routingNumber: '000000000' },
    { accountNumber: '12' },
    { accountType: 'gold' },
  ])
  const { ok, body } = await answered(walker.user, 'addBankAccount', {
    body: { ...BANK_ACCOUNT, ...wrong },
  })
  if (ok) walker.accounts.push((body as { id: string }).id)
  return ok
}

async function changeBankAccount(walk: Walk, walker: Walker): Promise<boolean> {
  const name = walk.random.chance(0.5) ? 'removeBankAccount' : 'makeBankAccountDefault'
  return accepted(walker.user, name, { params: { id: anId(walk, walker.accounts, 'accounts') } })
}

async function requestWithdrawal(walk: Walk, walker: Walker): Promise<boolean> {
  const { random } = walk
  const amount = random.chance(0.12)
    ? random.pick(GARBAGE)
    : cents(random, random.pick([30, 300, 3_000]))
  const bankAccountId = random.chance(0.3) ? anId(walk, walker.accounts, 'accounts') : undefined
  const key = random.chance(0.5) ? { key: `w${random.below(400)}` } : {}
  const { ok, body } = await answered(walker.user, 'requestWithdrawal', {
    body: { amount, bankAccountId },
    ...key,
  })
  if (ok) walker.withdrawals.push((body as { id: string }).id)
  return ok
}

async function cancelWithdrawal(walk: Walk, walker: Walker): Promise<boolean> {
  const { random, walkers } = walk
  const latest = (random.chance(0.9) ? walker : random.pick(walkers)).withdrawals.slice(-3)
  return accepted(walker.user, 'cancelWithdrawal', {
    params: { id: anId(walk, latest, 'withdrawals') },
  })
}

const NEXT: Partial<Record<WithdrawalState, readonly WithdrawalAction[]>> = {
  pending: ['review', 'approve', 'reject'],
  in_review: ['approve', 'reject'],
  approved: ['submit'],
  submitted: ['mark-paid', 'mark-paid', 'mark-failed'],
  paid: ['mark-returned'],
}
export const ACTIONS: readonly WithdrawalAction[] = [
  'review',
  'approve',
  'reject',
  'submit',
  'mark-paid',
  'mark-failed',
  'mark-returned',
]

/**
 * An operator acts on the server directly, without HTTP: with an allowed action, a random one, or
 * twice concurrently.
 */
async function actAsOperator(walk: Walk, walker: Walker): Promise<boolean> {
  const { random, world } = walk
  const id = anId(walk, walker.withdrawals.slice(-4), 'withdrawals')
  const [known] = await world.context.sql<
    { state: WithdrawalState }[]
  >`select state from withdrawal_requests where id = ${id}`
  const sensible = (known && NEXT[known.state]) ?? ACTIONS
  const times = random.chance(0.1) ? 2 : 1
  const actions = Array.from({ length: times }, () =>
    random.pick(random.chance(0.6) ? sensible : ACTIONS),
  )
  const answers = await Promise.allSettled(
    actions.map((action) => actOnWithdrawal(world.context, { id, action, actor: 'operator:walk' })),
  )
  for (const answer of answers)
    if (answer.status === 'rejected' && !(answer.reason instanceof Refusal)) throw answer.reason
  return answers.some(({ status }) => status === 'fulfilled')
}

async function letHoursPass({ random, world }: Walk): Promise<boolean> {
  await world.hours(random.below(5))
  return true
}

async function restartEngine({ world }: Walk): Promise<boolean> {
  await world.restartEngine()
  return true
}
