import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Pair } from '#core/market/pair.ts'
import { RISK_LEVELS } from '#core/strategy/risk-level.ts'
import type { RouteName } from '#contract/routes.ts'
import { randomFrom, type Random } from '../world/random.ts'
import { TEST_CARD } from '../world/world.ts'
import { clientOf, signUp, type Asked, type Client, type Ending } from './client.ts'

/** Acknowledged operations, each with the amount that it must have moved exactly once. */
export type Journal = {
  /** Keyed by payment intent, by bot and by withdrawal. */
  deposits: Map<string, string>
  bots: Map<string, string>
  withdrawals: Map<string, string>
  cancels: Set<string>
  /**
   * Canceled again after a lost response. The answer 'too late' or 'already canceled' then leaves
   * open which request took effect.
   */
  perhapsCanceled: Set<string>
  isActive: Map<string, boolean>
  closed: Set<string>
  /**
   * Responses, including refusals; calls retried without a response; stored responses returned
   * again for one key.
   */
  answers: number
  refusals: number
  askedAgain: number
  replays: number
  /** Errors that users must never see. */
  complaints: string[]
}

export type Load = {
  journal: Journal
  /** Runs until the next `settle`. */
  run: () => void
  /** Starts no new calls, and waits until every call has its response, retrying where necessary. */
  settle: () => Promise<void>
  /** Ends everything, even calls without a response. */
  abandon: () => void
}

/** If there are several `urls`, the two lanes of a user call different processes. */
type LoadOptions = { urls: readonly string[]; seed: number; users: number; pairs: readonly Pair[] }

/** One thread of a user's calls. A user has two, which compete for the same cash. */
type Lane = {
  client: Client
  random: Random
  journal: Journal
  pairs: readonly Pair[]
  bots: Bot[]
  withdrawals: string[]
  signal: AbortSignal
}

type Bot = { id: string; key: string; body: object }

const LANES_A_USER = 2
const ASK_AGAIN_MS = 150
const BREATH_MS = 60

/**
 * Users who deposit, run bots and withdraw as fast as the server responds, whatever happens to it
 * meanwhile.
 */
export async function startLoad({ urls, seed, users, pairs }: LoadOptions): Promise<Load> {
  const journal: Journal = {
    deposits: new Map(),
    bots: new Map(),
    withdrawals: new Map(),
    cancels: new Set(),
    perhapsCanceled: new Set(),
    isActive: new Map(),
    closed: new Set(),
    answers: 0,
    refusals: 0,
    askedAgain: 0,
    replays: 0,
    complaints: [],
  }
  const abandoned = new AbortController()
  const lanes: Lane[] = []
  for (let number = 0; number < users; number += 1) {
    const url = (lane: number) => urls[lane % urls.length] ?? ''
    const client = await signUp(url(lanes.length))
    await client.addBankAccount()
    for (let lane = 0; lane < LANES_A_USER; lane += 1) {
      lanes.push({
        client: clientOf(url(lanes.length), client.cookie),
        random: randomFrom(seed + lanes.length),
        journal,
        pairs,
        bots: [],
        withdrawals: [],
        signal: abandoned.signal,
      })
    }
  }
  const shift = { goesOn: false }
  let running: Promise<unknown> = Promise.resolve()
  const drive = async (lane: Lane) => {
    while (shift.goesOn) {
      await act(lane)
      await delay(lane.random.below(BREATH_MS))
    }
  }
  return {
    journal,
    run: () => {
      shift.goesOn = true
      running = Promise.all(lanes.map(drive))
    },
    settle: async () => {
      shift.goesOn = false
      await running
    },
    abandon: () => {
      shift.goesOn = false
      abandoned.abort()
      running.catch(() => undefined)
    },
  }
}

const MOST_BOTS = 8

function act(lane: Lane): Promise<void> {
  const { random, bots, withdrawals } = lane
  if (bots.length > MOST_BOTS) return deleteBot(lane)
  const acts = [deposit, deposit, createBot, createBot, withdraw, withdraw]
  if (bots.length > 0) acts.push(switchBot, deleteBot, replayBot)
  if (withdrawals.length > 0) acts.push(cancel)
  return random.pick(acts)(lane)
}

async function deposit(lane: Lane): Promise<void> {
  const { random, journal } = lane
  const amount = cents(random, 200)
  const intent = await insist(lane, 'createPaymentIntent', { body: { amount } })
  if (!intent.ok) return
  const { clientSecret, paymentIntentId } = intent.body
  await insist(lane, 'payWithSandboxCard', { body: { clientSecret, ...TEST_CARD } })
  const confirm = () => insist(lane, 'confirmDeposit', { body: { paymentIntentId, amount } })
  const [first, ...others] = await Promise.all(Array.from({ length: 1 + random.below(3) }, confirm))
  if (first?.ok) journal.deposits.set(paymentIntentId, amount)
  journal.replays += others.length
  for (const other of others)
    if (other.body.transactionId !== first?.body.transactionId)
      complain(lane, ['a deposit has two receipts', first, other])
}

async function createBot(lane: Lane): Promise<void> {
  const { random, journal, bots } = lane
  const investmentAmount = cents(random, 40)
  const tradingPairs = lane.pairs.filter(() => random.chance(0.6))
  const body = {
    name: `Bot ${random.below(1_000)}`,
    riskLevel: random.pick(RISK_LEVELS),
    tradingPairs,
    investmentAmount,
  }
  const key = randomUUID()
  const answer = await insist(lane, 'createBot', { body, key })
  if (!answer.ok) return
  journal.bots.set(answer.body.id, investmentAmount)
  bots.push({ id: answer.body.id, key, body })
}

/** Repeats a key that was answered: must return the stored response, and create no second bot. */
async function replayBot(lane: Lane): Promise<void> {
  const { id, key, body } = lane.random.pick(lane.bots)
  const answer = await insist(lane, 'createBot', { body, key })
  lane.journal.replays += 1
  if (answer.body.id !== id) complain(lane, ['another bot under the same key', id, answer])
}

async function switchBot(lane: Lane): Promise<void> {
  const { id } = lane.random.pick(lane.bots)
  const isActive = lane.random.chance(0.5)
  const answer = await insist(lane, 'updateBot', { id, body: { isActive } })
  if (answer.ok) lane.journal.isActive.set(id, isActive)
}

async function deleteBot(lane: Lane): Promise<void> {
  const { id } = lane.random.pick(lane.bots)
  lane.bots = lane.bots.filter((bot) => bot.id !== id)
  const answer = await insist(lane, 'deleteBot', { id })
  // A retry may find the bot closed already, and a closed bot is not found.
  if (answer.ok || answer.repeats > 0) lane.journal.closed.add(id)
  else complain(lane, ['a bot of ours cannot be deleted', answer])
}

async function withdraw(lane: Lane): Promise<void> {
  const { random, journal, withdrawals } = lane
  const amount = cents(random, 60)
  const asked = { body: { amount }, key: randomUUID() }
  const answer = await insist(lane, 'requestWithdrawal', asked)
  if (!answer.ok) return
  journal.withdrawals.set(answer.body.id, amount)
  withdrawals.push(answer.body.id)
  if (!random.chance(0.3)) return
  const again = await insist(lane, 'requestWithdrawal', asked)
  journal.replays += 1
  if (again.body.id !== answer.body.id)
    complain(lane, ['another withdrawal under the same key', answer, again])
}

async function cancel(lane: Lane): Promise<void> {
  const id = lane.withdrawals.pop() ?? ''
  const answer = await insist(lane, 'cancelWithdrawal', { id })
  if (answer.ok) lane.journal.cancels.add(id)
  else if (answer.repeats > 0) lane.journal.perhapsCanceled.add(id)
}

type Insisted<Name extends RouteName> = {
  ok: boolean
  status: number
  body: Extract<Ending<Name>, { kind: 'answered' }>['body']
  repeats: number
}

/**
 * Repeats the same call until there is a response. Without a response, or after a 503, the outcome
 * is unknown.
 */
async function insist<Name extends RouteName>(
  lane: Lane,
  name: Name,
  asked: Asked,
): Promise<Insisted<Name>> {
  const { client, journal, signal } = lane
  for (let repeats = 0; ; repeats += 1) {
    const ending = await client.ask(name, asked)
    if (ending.kind === 'answered' && ending.status !== 503) {
      const ok = ending.status < 300
      journal.answers += 1
      if (!ok) journal.refusals += 1
      if (ending.status >= 500) complain(lane, [name, asked, ending])
      return { ok, status: ending.status, body: ending.body, repeats }
    }
    journal.askedAgain += 1
    await delay(ASK_AGAIN_MS, undefined, { signal })
  }
}

function complain({ journal }: Lane, what: unknown[]): void {
  journal.complaints.push(JSON.stringify(what))
}

/** 10.00 to `most` dollars. */
function cents(random: Random, most: number): string {
  return `${10 + random.below(most - 10)}.${String(random.below(100)).padStart(2, '0')}`
}
