import type { BaseError, Exchange, Order } from 'ccxt'
import { assert, required } from '#core/assert.ts'
import { baseOf, type Pair } from '#core/market/pair.ts'
import type { Units } from '#core/money/amount.ts'
import type { Asset } from '#core/money/asset.ts'
import { parseDecimal, unitsToDecimal } from '#core/money/decimal.ts'
import type { Side } from '#core/trading/fill.ts'
import type { Nonces } from './nonces.ts'
import {
  openExchange,
  type ExchangeAccess,
  type ExchangeName,
  symbolsOf,
  retryDelayMs,
} from './open-exchange.ts'

/** Quantities in units of base, costs in units of quote. */
export type Limits = {
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

export type Execution = { isOpen: boolean; quantity: Units; notional: Units; fee: Units }

/** Nothing was executed. */
export class OrderRejected extends Error {}

/** No response arrived: the order may be executed. */
export class OrderUnknown extends Error {}

export type ExchangeAccount = {
  limits: (pair: Pair) => Promise<Limits>
  /** Waits until a request passes at once: an order has a deadline and must not queue. */
  waitForRateLimit: () => Promise<void>
  /**
   * Sends an immediate-or-cancel order. Throws `OrderRejected` or `OrderUnknown`; `find` returns
   * its outcome.
   */
  send: (order: AccountOrder) => Promise<void>
  /** By our id; undefined if the exchange has none. */
  find: (order: AccountOrder) => Promise<Execution | undefined>
  cancel: (order: AccountOrder) => Promise<void>
  /** After this long, an order that is not listed can no longer be executed. */
  horizonMs: number
  balances: () => Promise<Map<Asset, Units>>
}

/** The matching engine refuses an order that arrives later than this. */
const DEADLINE_MS = 5_000

/** How long after the deadline an executed order may still be missing from the lists. */
const LISTING_MS: Record<ExchangeName, number> = { kraken: 5_000, binance: 5_000, coinbase: 60_000 }

/**
 * The age at which minimums, steps, fees and suspensions are reloaded, as after each refused order.
 */
const MARKETS_AGE_MS = 600_000

type OpenAccount = { exchange: Exchange; name: ExchangeName; symbols: Map<Pair, string> }

type Parts = { now: () => Date; nonces: Nonces }

export function openExchangeAccount(
  access: ExchangeAccess,
  { now, nonces }: Parts,
): ExchangeAccount {
  const opening = onceWithin(now, () => openAccount(access, nonces))
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
      // A request of cost zero passes once all earlier ones have.
      await exchange.throttle(0)
    },
    send: async (order) => {
      const account = await opening()
      // The market's rules may have changed.
      isFresh = false
      await sendOrder(account, order)
      isFresh = true
    },
    find: async (order) => findOrder(await opening(), order),
    cancel: async (order) => cancelOrder(await opening(), order),
    horizonMs: DEADLINE_MS + LISTING_MS[access.name],
    balances: async () => readBalances(await opening()),
  }
}

async function openAccount(access: ExchangeAccess, nonces: Nonces): Promise<OpenAccount> {
  const exchange = await openExchange(access, nonces)
  const markets = await exchange.loadMarkets()
  return {
    exchange,
    name: access.name,
    symbols: symbolsOf(access.name, (symbol) => markets[symbol]?.spot === true),
  }
}

/** Caches the first success; repeats the last error until it is time to retry. */
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

function symbolOf({ symbols, name }: OpenAccount, pair: Pair): string {
  const symbol = symbols.get(pair)
  if (symbol === undefined) throw new OrderRejected(`${name} does not trade ${pair}`)
  return symbol
}

function limitsOf(account: OpenAccount, pair: Pair): Limits {
  const market = account.exchange.market(symbolOf(account, pair))
  return {
    isOpen: market.active !== false,
    step: stepOf(market.precision.amount),
    minimumQuantity: amountOf(market.limits.amount?.min) ?? 0n,
    minimumCost: amountOf(market.limits.cost?.min) ?? 0n,
    priceStep: stepOf(market.precision.price),
    // The client reports a fraction of 1; basis points are rounded up.
    takerFeeBps: Number(((amountOf(market.taker) ?? 0n) * 10_000n + 99_999_999n) / 100_000_000n),
  }
}

/** A step finer than our units is one unit. */
const stepOf = (value: unknown): Units => amountOf(value) ?? 1n

/** Truncated to eight places; undefined if there is none. */
function amountOf(value: unknown): Units | undefined {
  if (value === undefined || value === null) return undefined
  const text = String(value)
  return parseDecimal(/e/i.test(text) ? plainDecimal(text) : text.replace(/(\.\d{8})\d+$/, '$1'))
}

/** '1e-8' as '0.00000001': some exchanges' form of steps. */
function plainDecimal(text: string): string {
  const [, digits = '0', exponent = '0'] = /^(\d+)(?:\.0*)?e-(\d+)$/i.exec(text) ?? []
  return `0.${digits.padStart(Number(exponent), '0')}`.slice(0, 10)
}

function lateRule({ name }: OpenAccount, sentAt: Date): object {
  if (name === 'kraken') return { deadline: new Date(sentAt.getTime() + DEADLINE_MS).toISOString() }
  return name === 'binance' ? { recvWindow: DEADLINE_MS } : {}
}

async function sendOrder(
  account: OpenAccount,
  { id, pair, side, quantity, limit, sentAt }: AccountOrder,
): Promise<void> {
  const { exchange } = account
  const symbol = symbolOf(account, pair)
  const params = { clientOrderId: id, timeInForce: 'IOC', ...lateRule(account, sentAt) }
  try {
    // The client's types allow only numbers, but it accepts decimal strings without converting
    // them.
    const [amount, price] = [unitsToDecimal(quantity, 8), unitsToDecimal(limit, 8)] as unknown as [
      number,
      number,
    ]
    await exchange.createOrder(symbol, 'limit', side, amount, price, params)
  } catch (error) {
    throw await orderError(error)
  }
}

type ErrorClass = typeof BaseError
/** Refusals that the client classifies as network errors. */
const ANSWERED = ['RateLimitExceeded', 'DDoSProtection', 'InvalidNonce', 'OnMaintenance'] as const
type Errors = Record<'NetworkError' | 'BaseError' | (typeof ANSWERED)[number], ErrorClass>

/** Loaded from its own file: the package of all exchanges is large. */
async function loadErrors(): Promise<Errors> {
  const all = (await import(
    new URL('src/base/errors.js', import.meta.resolve('ccxt')).href
  )) as Record<string, ErrorClass>
  return Object.fromEntries(
    ['NetworkError', 'BaseError', ...ANSWERED].map((name) => [name, required(all[name], name)]),
  ) as Errors
}

async function orderError(error: unknown): Promise<Error> {
  const { NetworkError, BaseError, ...answers } = await loadErrors()
  const sentence = error instanceof Error ? error.message.slice(0, 300) : String(error)
  const wasAnswered =
    Object.values(answers).some((Answer) => error instanceof Answer) ||
    !(error instanceof NetworkError)
  return error instanceof BaseError && wasAnswered
    ? new OrderRejected(sentence, { cause: error })
    : new OrderUnknown(sentence, { cause: error })
}

async function findOrder(
  account: OpenAccount,
  order: AccountOrder,
): Promise<Execution | undefined> {
  const found = await lookUp(account, order)
  if (!found) return undefined
  const quantity = amountOf(found.filled) ?? 0n
  // The client computes the cost from an average price; the exchange's own is exact.
  const booked = account.name === 'kraken' ? (found.info as { cost?: unknown }).cost : found.cost
  const [notional, fee] = [amountOf(booked) ?? 0n, amountOf(found.fee?.cost) ?? 0n]
  assert(quantity === 0n || notional > 0n, 'an executed quantity has a cost')
  return { isOpen: found.status === 'open', quantity, notional, fee }
}

const LISTS: Record<
  ExchangeName,
  readonly ('fetchClosedOrders' | 'fetchOpenOrders' | 'fetchOrders')[]
> = {
  kraken: ['fetchClosedOrders', 'fetchOpenOrders'],
  binance: ['fetchOrders'],
  coinbase: ['fetchOrders'],
}

async function lookUp(
  account: OpenAccount,
  { id, pair, sentAt }: AccountOrder,
): Promise<Order | undefined> {
  const symbol = symbolOf(account, pair)
  const since = sentAt.getTime() - 60_000
  for (const list of LISTS[account.name]) {
    const orders = await account.exchange[list](
      symbol,
      since,
      undefined,
      account.name === 'kraken' ? { clientOrderId: id } : {},
    )
    const found = orders.find((order) => order.clientOrderId === id)
    if (found) return found
  }
  return undefined
}

async function cancelOrder(account: OpenAccount, order: AccountOrder): Promise<void> {
  const found = await lookUp(account, order)
  if (found?.status === 'open' && found.id !== undefined)
    await account.exchange.cancelOrder(found.id, symbolOf(account, order.pair))
}

async function readBalances({ exchange, symbols }: OpenAccount): Promise<Map<Asset, Units>> {
  const { total } = await exchange.fetchBalance()
  const totals = total as unknown as Record<string, unknown>
  const found = new Map<Asset, Units>()
  for (const [pair, symbol] of symbols) {
    const [base = '', quote = ''] = symbol.split('/')
    found.set(baseOf(pair), amountOf(totals[base]) ?? 0n)
    found.set('USD', amountOf(totals[quote]) ?? 0n)
  }
  return found
}
