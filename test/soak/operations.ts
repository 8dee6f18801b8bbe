import { required } from '#core/assert.ts'
import { PAIRS } from '#core/market/pair.ts'
import { ONE, type Units } from '#core/money/amount.ts'
import { unitsToDecimal } from '#core/money/decimal.ts'
import { Refusal } from '#core/refusal.ts'
import { RISK_LEVELS } from '#core/strategy/risk-level.ts'
import { choiceOf, STRATEGY_KEYS } from '#core/strategy/strategy-key.ts'
import type { WithdrawalAction, WithdrawalState } from '#core/withdrawals/withdrawal.ts'
import type { RouteName } from '#contract/routes.ts'
import type { Handler } from '#server/action.ts'
import type { Context } from '#server/context.ts'
import { CommitAnswerLost, isConnectionLoss } from '#server/db/atomically.ts'
import { settleDeposit } from '#server/deposits/settle-deposit.ts'
import { handlers } from '#server/http/handlers.ts'
import { actOnWithdrawal } from '#server/withdrawals/act-on-withdrawal.ts'
import type { Fault } from './faulty-sql.ts'
import { Difference } from './follow.ts'
import * as model from './model/people.ts'
import type { Code } from './model/people.ts'
import { signUp, type Person, type Process, type World } from './world.ts'

/**
 * Actions of users and operators, on the product and on the model. Both must accept or refuse
 * alike.
 */

export type Operation = { name: string; weight: number; run: (acting: Acting) => Promise<Code> }

/** `process`: the server that handles the request; `key`: makes a retry of the request harmless. */
export type Acting = { world: World; person: Person; process: Process; key: string }

const CARD = { number: '4242424242424242', expMonth: 12, expYear: 2090, confirmed: false }
const BANK = {
  bankName: 'First Bank',
  accountNumber: '000123456789',
  routingNumber: '021000021',
  accountType: 'checking',
} as const

export const OPERATIONS: readonly Operation[] = [
  { name: 'deposit', weight: 16, run: deposit },
  { name: 'take back a payment', weight: 3, run: takeBack },
  { name: 'top up a bot', weight: 14, run: topUp },
  { name: 'take out of a bot', weight: 14, run: takeOut },
  { name: 'pause a bot', weight: 8, run: (acting) => switchBot(acting, false) },
  { name: 'change a bot', weight: 8, run: change },
  { name: 'resume a bot', weight: 10, run: (acting) => switchBot(acting, true) },
  { name: 'close a bot', weight: 9, run: close },
  { name: 'stop all', weight: 0.4, run: stopAll },
  { name: 'withdraw', weight: 10, run: withdraw },
  { name: 'cancel a withdrawal', weight: 3, run: cancel },
  { name: 'act on a withdrawal', weight: 14, run: operate },
]

/**
 * Calls a route's handler as the server does. If the connection is lost, it retries with the same
 * key.
 */
async function ask<Name extends RouteName>(
  { person, process, key }: Acting,
  name: Name,
  request: object,
): Promise<{ code: Code; body: unknown }> {
  const handler = handlers[name] as unknown as (
    context: Context,
    call: object,
  ) => ReturnType<Handler<Name>>
  // Nobody signs in here, so no call has a proof to check.
  const proof = { spend: () => Promise.resolve() }
  const call = {
    userId: person.id,
    body: {},
    params: {},
    query: {},
    idempotencyKey: `${name} ${key}`,
    proof,
    ...request,
  }
  return answered(() => handler(process.context, call))
}

async function answered(work: () => Promise<unknown>): Promise<{ code: Code; body: unknown }> {
  for (;;) {
    try {
      return { code: undefined, body: await work() }
    } catch (error) {
      if (error instanceof Refusal) return { code: error.code, body: undefined }
      if (!(error instanceof CommitAnswerLost || isConnectionLoss(error))) throw error
    }
  }
}

function agree(what: string, { seen, expected }: { seen: Code; expected: Code }): Code {
  if (seen !== expected)
    throw new Difference(
      `${what}: the product says ${seen ?? 'yes'}, the model ${expected ?? 'yes'}`,
    )
  return seen
}

const idOf = (body: unknown): string => (body as { id: string }).id

/** A random amount of at least `least`, in whole cents. */
export function anAmount({ random }: World, { least, most }: { least: Units; most: Units }): Units {
  const cent = ONE / 100n
  const drawn = least + random.units(most)
  return drawn - (drawn % cent)
}

export async function deposit(acting: Acting): Promise<Code> {
  const { world, person, process } = acting
  const { random, sql } = world
  const amount = anAmount(world, { least: 10n * ONE, most: 1_000_000n * ONE })
  const { body } = await ask(acting, 'createPaymentIntent', {
    body: { amount: unitsToDecimal(amount, 2) },
  })
  const { paymentIntentId: id, clientSecret } = body as {
    paymentIntentId: string
    clientSecret: string
  }
  const nothing = { received: null, refunded: 0n, disputed: 0n }
  world.model.intents.set(id, { id, userId: person.id, amount, ...nothing })
  const isDeclined = random.chance(0.1)
  await ask(acting, 'payWithSandboxCard', {
    body: { ...CARD, clientSecret, number: isDeclined ? '4000000000000002' : CARD.number },
  })
  const paid = await answered(() =>
    handlers.confirmDeposit(process.context, {
      userId: person.id,
      body: { paymentIntentId: id, amount: '1' },
    } as never),
  )
  const [row] = await sql`select status from sandbox_payments where id = ${id}`
  if ((row?.['status'] === 'succeeded') === isDeclined)
    throw new Difference(`payment ${id} is ${String(row?.['status'])}`)
  if (!isDeclined) model.settlePaid(world.model, { ...nothing, id, received: amount })
  return agree('a deposit', {
    seen: paid.code,
    expected: isDeclined ? 'payment-not-succeeded' : undefined,
  })
}

/** A refund grows, or a dispute is opened or won. The provider reports it at once. */
async function takeBack({ world, person, process }: Acting): Promise<Code> {
  const { random, sql } = world
  const paid = [...world.model.intents.values()].filter(
    ({ userId, received }) => userId === person.id && received !== null,
  )
  if (paid.length === 0) return 'not-found'
  const { id, amount, refunded, disputed } = random.pick(paid)
  const left = amount - disputed
  const truth = random.chance(0.5)
    ? { refunded: refunded + ((left - refunded) * BigInt(random.below(101))) / 100n, disputed }
    : { refunded, disputed: disputed > 0n ? 0n : amount - refunded }
  await sql`update sandbox_payments set refunded = ${truth.refunded}, disputed = ${truth.disputed}
    where id = ${id}`
  const { code } = await answered(() => settleDeposit(process.context, id))
  model.settlePaid(world.model, { id, received: amount, ...truth })
  return agree('a refund or dispute', { seen: code, expected: undefined })
}

export async function createBot(acting: Acting): Promise<Code> {
  const { world, person } = acting
  const { random } = world
  const many = 1 + random.below(random.chance(0.3) ? 12 : 4)
  const chosen = new Set(Array.from({ length: many }, () => random.pick(PAIRS)))
  const pairs = PAIRS.filter((pair) => chosen.has(pair))
  const strategy = random.pick(STRATEGY_KEYS)
  const invested = anAmount(world, {
    least: random.chance(0.95) ? ONE : 0n,
    most: random.chance(0.1) ? 1_000_000n * ONE : 2_000n * ONE,
  })
  const bot = { userId: person.id, strategy, pairs, invested }
  const body = {
    name: 'Bot',
    ...choiceOf(strategy),
    tradingPairs: pairs,
    investmentAmount: unitsToDecimal(invested, 2),
  }
  const answer = await ask(acting, 'createBot', { body })
  const code = agree('a new bot', {
    seen: answer.code,
    expected: model.mayCreateBot(world.model, bot),
  })
  if (code === undefined) model.createBot(world.model, { ...bot, id: idOf(answer.body) })
  return code
}

/** One of the person's bots, open or closed. */
function aBot({ world, person }: Acting): string | undefined {
  const open = model.openBots(world.model, person.id)
  const all =
    open.length > 0 && world.random.chance(0.97)
      ? open
      : [...world.model.bots.values()].filter(({ userId }) => userId === person.id)
  return all.length > 0 ? world.random.pick(all).id : undefined
}

async function topUp(acting: Acting): Promise<Code> {
  const id = aBot(acting)
  if (id === undefined) return 'not-found'
  const { world } = acting
  const amount = anAmount(world, {
    least: world.random.chance(0.95) ? ONE : 0n,
    most: 5_000n * ONE,
  })
  const { code } = await ask(acting, 'topUpBot', {
    params: { id },
    body: { amount: unitsToDecimal(amount, 2) },
  })
  return agree('a top-up', { seen: code, expected: model.topUp(world.model, { id, amount }) })
}

/**
 * Often takes nearly all of the smallest bot, again and again, until it holds hardly a unit of
 * anything.
 */
async function takeOut(acting: Acting): Promise<Code> {
  const { world, person } = acting
  const isSmallest = world.random.chance(0.3)
  const id = isSmallest
    ? model
        .openBots(world.model, person.id)
        .toSorted((a, b) => (a.invested < b.invested ? -1 : 1))[0]?.id
    : aBot(acting)
  if (id === undefined) return 'not-found'
  const percent = isSmallest ? 99 : 1 + world.random.below(world.random.chance(0.02) ? 101 : 99)
  const { code } = await ask(acting, 'takeOutOfBot', { params: { id }, body: { percent } })
  return agree('a take-out', { seen: code, expected: model.takeOut(world.model, { id, percent }) })
}

async function switchBot(acting: Acting, isActive: boolean): Promise<Code> {
  const { world } = acting
  const fit = model
    .openBots(world.model, acting.person.id)
    .filter(({ status }) => status === (isActive ? 'paused' : 'active'))
  const id = fit.length > 0 && world.random.chance(0.9) ? world.random.pick(fit).id : aBot(acting)
  if (id === undefined) return 'not-found'
  const { code } = await ask(acting, 'updateBot', { params: { id }, body: { isActive } })
  return agree('a switch', { seen: code, expected: model.switchOf(world.model, { id, isActive }) })
}

/** Sometimes changes the risk level, mostly the pairs, and often adds or drops only one of them. */
async function change(acting: Acting): Promise<Code> {
  const id = aBot(acting)
  if (id === undefined) return 'not-found'
  const { world } = acting
  const { random } = world
  const bot = required(world.model.bots.get(id), 'a bot')
  const riskLevel = random.chance(0.3) ? random.pick(RISK_LEVELS) : choiceOf(bot.strategy).riskLevel
  const one = random.pick(PAIRS)
  const drawn = random.chance(0.6)
    ? PAIRS.filter((pair) => bot.pairs.includes(pair) !== (pair === one))
    : PAIRS.filter(() => random.chance(0.3))
  const pairs = drawn.length > 0 ? drawn : [one]
  const { code } = await ask(acting, 'updateBot', {
    params: { id },
    body: { riskLevel, tradingPairs: pairs },
  })
  return agree('a change', {
    seen: code,
    expected: model.changeBot(world.model, { id, riskLevel, pairs }),
  })
}

async function close(acting: Acting): Promise<Code> {
  const id = aBot(acting)
  if (id === undefined) return 'not-found'
  const { code } = await ask(acting, 'deleteBot', { params: { id } })
  return agree('a closing', { seen: code, expected: model.closeBot(acting.world.model, id) })
}

async function stopAll(acting: Acting): Promise<Code> {
  const { code } = await ask(acting, 'stopAll', {})
  return agree('a stop of all', {
    seen: code,
    expected: model.stopAll(acting.world.model, acting.person.id),
  })
}

async function withdraw(acting: Acting): Promise<Code> {
  const { world, person } = acting
  if (!person.hasAccount && world.random.chance(0.8)) {
    await ask(acting, 'addBankAccount', { body: BANK })
    person.hasAccount = true
  }
  const amount = anAmount(world, { least: 9n * ONE, most: 20_000n * ONE })
  const expected = model.mayWithdraw(world.model, {
    userId: person.id,
    amount,
    hasAccount: person.hasAccount,
  })
  const { code, body } = await ask(acting, 'requestWithdrawal', {
    body: { amount: unitsToDecimal(amount, 2) },
  })
  agree('a withdrawal', { seen: code, expected })
  if (code === undefined) model.withdraw(world.model, { id: idOf(body), userId: person.id, amount })
  return code
}

async function cancel({ world, person, process }: Acting): Promise<Code> {
  const mine = [...world.model.withdrawals.values()].filter(({ userId }) => userId === person.id)
  if (mine.length === 0) return 'not-found'
  const { id } = world.random.pick(mine.slice(-3))
  return actOn(world, { process, id, action: 'cancel', userId: person.id })
}

const NEXT: Partial<Record<WithdrawalState, readonly WithdrawalAction[]>> = {
  pending: ['review', 'approve', 'approve', 'reject'],
  in_review: ['approve', 'reject'],
  approved: ['submit'],
  submitted: ['mark-paid', 'mark-paid', 'mark-failed'],
  paid: ['mark-returned'],
}

/** An operator acts on one of the latest withdrawals, mostly with an action that fits its state. */
async function operate({ world, process }: Acting): Promise<Code> {
  const latest = [...world.model.withdrawals.values()].slice(-60)
  if (latest.length === 0) return 'not-found'
  const { id, state } = world.random.pick(latest)
  const fit = NEXT[state] ?? ['submit']
  return actOn(world, {
    process,
    id,
    action: world.random.chance(0.9) ? world.random.pick(fit) : 'approve',
  })
}

type Act = { process: Process; id: string; action: WithdrawalAction; userId?: string }

/**
 * Has no idempotency key: if the answer was lost and the retry finds the action done, the first
 * attempt succeeded.
 */
async function actOn(world: World, { process, ...act }: Act): Promise<Code> {
  const { code } = await answered(() =>
    actOnWithdrawal(process.context, { ...act, actor: 'operator:soak' }),
  )
  const expected = model.act(world.model, act)
  const wasLost = process.life.disarm() === 'lose answer'
  return agree(`to ${act.action} a withdrawal`, {
    seen: wasLost && expected === undefined ? undefined : code,
    expected,
  })
}

const FAULTS = ['cut', 'cut in the middle', 'cut at commit', 'lose answer'] as const

/** One operation by a random user; now and then its connection is cut. */
export async function operateOnce(
  world: World,
  { name, run }: Operation,
  tally: (name: string, code: Code) => void,
): Promise<void> {
  const { random, people } = world
  const person = people.length > 0 ? random.pick(people) : await signUp(world)
  const process = world.open()
  if (random.chance(0.1))
    process.life.arm({ kind: random.pick(FAULTS), at: 1 + random.below(8) } satisfies Fault)
  const key = required(world.context.newId(), 'a key')
  tally(name, await run({ world, person, process, key }))
  process.life.disarm()
}
