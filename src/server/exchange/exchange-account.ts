import type { Exchange } from 'ccxt'
import { baseOf, type Pair } from '#core/market/pair.ts'
import { ONE, type Units } from '#core/money/amount.ts'
import { CRYPTO_ASSETS, type Asset } from '#core/money/asset.ts'
import { ALL_BPS } from '#core/money/percent.ts'
import { multiplyDivideCeil } from '#core/money/rounding.ts'
import type { Side } from '#core/trading/fill.ts'
import { BINANCE } from './dialects/binance.ts'
import { COINBASE } from './dialects/coinbase.ts'
import { recordOf, unitsOf, type Dialect, type Placing } from './dialects/dialect.ts'
import { KRAKEN } from './dialects/kraken.ts'
import type { AccountState } from '#server/ports/venue.ts'
import type { Nonces } from './nonces.ts'
import {
  answerOf,
  basesOf,
  openExchange,
  QUOTES,
  symbolsOf,
  retryDelayMs,
  type ExchangeAccess,
  type ExchangeName,
} from './open-exchange.ts'

const DIALECTS: Record<ExchangeName, Dialect> = {
  kraken: KRAKEN,
  binance: BINANCE,
  coinbase: COINBASE,
}

/** Quantities in units of base, costs in units of quote. */
export type MarketLimits = {
  isOpen: boolean
  step: Units
  minimumQuantity: Units
  minimumCost: Units
  priceStep: Units
  takerFeeBps: number
}

export type AccountOrder = {
  id: string
  pair: Pair
  side: Side
  quantity: Units
  limit: Units
  sentAt: Date
}

/** `fees`: by asset. An asset that the product does not know has the exchange's name. */
export type Execution = {
  isOpen: boolean
  quantity: Units
  notional: Units
  fees: ReadonlyMap<string, Units>
}

/** The exchange refused the order, and nothing was executed. */
export class OrderRejected extends Error {}

/** No response arrived, or an inconclusive one: the order may be executed. */
export class OrderUnknown extends Error {}

/** The exchange stores the order under another id than ours, so we could never find it. */
export class OrderRenamed extends OrderUnknown {}

export type ExchangeAccount = {
  /** Undefined for a pair that the exchange does not trade (any more). */
  limits: (pair: Pair) => Promise<MarketLimits | undefined>
  /**
   * Waits until a request would be sent without a delay, because an order has a deadline and must
   * not queue.
   */
  waitForRateLimit: () => Promise<void>
  /**
   * Sends an immediate-or-cancel order. Throws `OrderRejected` or `OrderUnknown`; `find` returns
   * its outcome.
   */
  send: (order: AccountOrder) => Promise<void>
  /** Looks up an order by our id; undefined if the exchange has none. */
  find: (order: AccountOrder) => Promise<Execution | undefined>
  cancel: (order: AccountOrder) => Promise<void>
  /** An order that is not listed after this time can no longer be executed. */
  horizonMs: number
  /** Balances and settings of the account. */
  read: () => Promise<AccountState>
  /** Has the exchange check an order without placing it. Throws its refusal. */
  check: (order: AccountOrder) => Promise<void>
}

/**
 * Age after which minimums, steps, fees and suspensions are reloaded; they are also reloaded after
 * each refused order.
 */
const MARKETS_AGE_MS = 600_000

type OpenAccount = { exchange: Exchange; name: ExchangeName }

type Parts = { now: () => Date; nonces: Nonces }

export function openExchangeAccount(
  access: ExchangeAccess,
  { now, nonces }: Parts,
): ExchangeAccount {
  const { deadlineMs, listingMs } = DIALECTS[access.name]
  const opening = onceWithin(now, () => openAccount(access, { now, nonces }))
  let isFresh = true
  let readMs = now().getTime()
  return {
    limits: async (pair) => {
      const account = await opening()
      if (!isFresh || now().getTime() - readMs > MARKETS_AGE_MS) {
        await account.exchange.loadMarkets(true)
        isFresh = true
        readMs = now().getTime()
      }
      return limitsOf(account, pair)
    },
    waitForRateLimit: async () => {
      const { exchange } = await opening()
      // Waits for all earlier requests, because the queue sends in order.
      await exchange.throttle(0)
    },
    send: async (order) => {
      const account = await opening()
      // Reloads the market, because its rules may have changed.
      isFresh = false
      await sendOrder(account, order)
      isFresh = true
    },
    find: async (order) => findOrder(await opening(), order),
    cancel: async (order) => {
      const account = await opening()
      const found = await look(account, order)
      if (found?.state === 'open') await found.cancel()
    },
    horizonMs: deadlineMs + listingMs,
    read: async () => readAccount(await opening()),
    check: async (order) => {
      const { exchange, name } = await opening()
      const placing = { ...placingOf({ exchange, name }, order), isTest: true }
      await DIALECTS[name].place(exchange, placing)
    },
  }
}

async function openAccount(access: ExchangeAccess, { now, nonces }: Parts): Promise<OpenAccount> {
  const exchange = await openExchange(access, nonces)
  // Signatures need the exchange's time.
  exchange.milliseconds = () => now().getTime()
  exchange.seconds = () => Math.floor(now().getTime() / 1_000)
  await exchange.loadMarkets()
  return { exchange, name: access.name }
}

/** Caches the first success; after an error, repeats the error until a retry is due. */
function onceWithin<Result>(now: () => Date, work: () => Promise<Result>): () => Promise<Result> {
  let kept: Promise<Result> | undefined
  let failures = 0
  let againMs = 0
  let lastError: unknown
  return async () => {
    if (kept) return kept
    if (now().getTime() < againMs) throw lastError
    kept = work()
    try {
      return await kept
    } catch (error) {
      kept = undefined
      lastError = error
      failures += 1
      againMs = now().getTime() + retryDelayMs({ failures, random: 0.5 })
      throw error
    }
  }
}

/**
 * The exchange's symbol for the pair, in the currency of the account's money; undefined if the pair
 * is not traded.
 */
function symbolOf({ exchange: { markets }, name }: OpenAccount, pair: Pair): string | undefined {
  const symbol = symbolsOf(name, (each) => markets?.[each]?.spot === true).get(pair)
  return symbol?.endsWith(`/${QUOTES[name][0]}`) === true ? symbol : undefined
}

function limitsOf(account: OpenAccount, pair: Pair): MarketLimits | undefined {
  const symbol = symbolOf(account, pair)
  if (symbol === undefined) return undefined
  const { info, precision, limits, taker } = account.exchange.market(symbol)
  return {
    isOpen: DIALECTS[account.name].isOpen(recordOf(info)),
    step: stepOf(precision.amount),
    minimumQuantity: unitsOf(limits.amount?.min) ?? 0n,
    minimumCost: unitsOf(limits.cost?.min) ?? 0n,
    priceStep: stepOf(precision.price),
    // The client reports a fraction of 1.
    takerFeeBps: Number(multiplyDivideCeil({ a: unitsOf(taker) ?? 0n, b: ALL_BPS, divisor: ONE })),
  }
}

/** A step finer than our units is one unit. */
const stepOf = (value: unknown): Units => unitsOf(value) ?? 1n

function placingOf(account: OpenAccount, { pair, ...order }: AccountOrder): Placing {
  const symbol = symbolOf(account, pair)
  if (symbol === undefined) throw new OrderRejected(`${account.name} does not trade ${pair}`)
  return { ...order, market: String(account.exchange.market(symbol).id) }
}

async function sendOrder(account: OpenAccount, order: AccountOrder): Promise<void> {
  const placing = placingOf(account, order)
  let echo: string | undefined
  try {
    echo = await DIALECTS[account.name].place(account.exchange, placing)
  } catch (error) {
    throw orderError(account.name, error)
  }
  if (echo !== undefined && echo !== order.id)
    throw new OrderRenamed(`${account.name} answered order ${order.id} under the id ${echo}`)
}

/** Any error that is no listed refusal means that the order may have been executed. */
function orderError(name: ExchangeName, error: unknown): Error {
  const sentence = error instanceof Error ? error.message.slice(0, 300) : String(error)
  const { codesOf, refusals } = DIALECTS[name]
  const answer = answerOf(error)
  const codes = answer === undefined ? [] : codesOf(answer.status, recordOf(answer.body))
  return codes.length > 0 && codes.every((code) => refusals.has(code))
    ? new OrderRejected(sentence, { cause: error })
    : new OrderUnknown(sentence, { cause: error })
}

const look = (account: OpenAccount, order: AccountOrder) =>
  DIALECTS[account.name].look(account.exchange, placingOf(account, order))

async function findOrder(
  account: OpenAccount,
  order: AccountOrder,
): Promise<Execution | undefined> {
  const found = await look(account, order)
  if (!found) return undefined
  const { state, quantity, notional, fees } = found
  if (state === 'open') return { isOpen: true, quantity: 0n, notional: 0n, fees: new Map() }
  if (
    state === undefined ||
    quantity === undefined ||
    notional === undefined ||
    fees === undefined ||
    quantity > 0n !== notional > 0n
  )
    throw new OrderUnknown(`${account.name} does not say yet how order ${order.id} ended`)
  const named = [...fees].map(([asset, fee]) => [assetOf(account, order.pair, asset), fee] as const)
  return { isOpen: false, quantity, notional, fees: new Map(named) }
}

function assetOf({ exchange, name }: OpenAccount, pair: Pair, asset: string): string {
  if (asset === 'quote' || asset === QUOTES[name][0]) return 'USD'
  if (asset === 'base') return baseOf(pair)
  const code = exchange.safeCurrencyCode(asset) ?? asset
  return CRYPTO_ASSETS.find((each) => basesOf(each).includes(code)) ?? code
}

async function readAccount(account: OpenAccount): Promise<AccountState> {
  const { held, faults } = await DIALECTS[account.name].readAccount(account.exchange)
  const of = (code: string) => held.get(code) ?? 0n
  const balances = new Map<Asset, Units>([
    ['USD', of(QUOTES[account.name][0])],
    ...CRYPTO_ASSETS.map(
      (asset) => [asset, basesOf(asset).reduce((sum, code) => sum + of(code), 0n)] as const,
    ),
  ])
  return { balances, faults }
}
