import type { ExchangeMarket, ExchangeState, MarketStatus } from '../exchange-state.ts'
import type { Book, OrderRequest, PlaceRefusal } from '../orders/book.ts'
import { fits, parseParts, partsOf, times, type Parts } from '../orders/decimals.ts'
import type { KrakenAnswer } from './answer.ts'
import { describeOrder } from './print.ts'

/** A refusal in Kraken's own words. */
class Refused extends Error {}

export function addOrder({
  state,
  book,
  form,
}: {
  state: ExchangeState
  book: Book
  form: URLSearchParams
}): KrakenAnswer {
  return orRefused(() => {
    const request = readOrder(state, form)
    checkElapsed(form.get('deadline'), state.clock.nowMs())
    checkStatus(request)
    checkMinima(request)
    checkUnique(request, book)
    const isValidation = form.get('validate') === 'true'
    const order = book.place(request, { isValidation })
    if (typeof order === 'string') throw new Refused(REFUSALS[order])
    const descr = { order: describeOrder(order) }
    return { result: isValidation ? { descr } : { txid: [order.txid], descr } }
  })
}

const REFUSALS: Record<PlaceRefusal, string> = {
  'post-only': 'EOrder:Post only order',
  'insufficient-funds': 'EOrder:Insufficient funds',
}

/** Checks at arrival of the request, before it queues for the matching engine. */
export function checkArrival({
  state,
  form,
}: {
  state: ExchangeState
  form: URLSearchParams
}): KrakenAnswer | undefined {
  return orRefused(() => {
    const deadline = form.get('deadline')
    checkElapsed(deadline, state.clock.nowMs())
    if (deadline === null) return undefined
    const leftMs = Date.parse(deadline) - state.clock.nowMs()
    if (leftMs < SOONEST_DEADLINE_MS || leftMs > LATEST_DEADLINE_MS)
      throw new Refused('EGeneral:Invalid arguments:deadline')
    return undefined
  })
}

const SOONEST_DEADLINE_MS = 2_000
const LATEST_DEADLINE_MS = 60_000

function orRefused<T>(work: () => T): T | KrakenAnswer {
  try {
    return work()
  } catch (error) {
    if (error instanceof Refused) return { error: [error.message] }
    throw error
  }
}

/**
 * Kraken accepts more than these. Parameters that are not emulated are refused: ignoring them would
 * make tests pass wrongly.
 */
const FIELDS = [
  'nonce',
  'pair',
  'type',
  'ordertype',
  'volume',
  'price',
  'timeinforce',
  'expiretm',
  'oflags',
  'cl_ord_id',
  'deadline',
  'validate',
]

function readOrder(state: ExchangeState, form: URLSearchParams): OrderRequest {
  const pair = form.get('pair')
  const market = [...state.markets.values()].find(
    ({ id, altname, wsname }) => pair === id || pair === altname || pair === wsname,
  )
  if (market === undefined) throw new Refused('EQuery:Unknown asset pair')
  for (const field of form.keys()) oneOf(field, FIELDS, field)
  const type = oneOf(form.get('ordertype'), ['market', 'limit'], 'ordertype')
  const flags = form.get('oflags')?.split(',') ?? []
  for (const flag of flags) oneOf(flag, ['fcib', 'fciq', 'nompp', 'post'], 'oflags')
  if (flags.includes('fcib') && flags.includes('fciq'))
    throw new Refused('EGeneral:Invalid arguments:oflags')
  return {
    market,
    side: oneOf(form.get('type'), ['buy', 'sell'], 'type'),
    ...(flags.includes('fcib') && { feeIn: 'base' as const }),
    ...(flags.includes('fciq') && { feeIn: 'quote' as const }),
    type,
    volume: readVolume(form.get('volume'), market),
    limit: type === 'limit' ? readPrice(form.get('price'), market) : undefined,
    ...readTimeInForce(form, state.clock.nowMs()),
    isPostOnly: flags.includes('post'),
    clientOrderId: readClientOrderId(form.get('cl_ord_id')),
  }
}

function oneOf<T extends string>(given: string | null, allowed: readonly T[], name: string): T {
  const found = allowed.find((each) => each === given)
  if (found === undefined) throw new Refused(`EGeneral:Invalid arguments:${name}`)
  return found
}

function readVolume(text: string | null, market: ExchangeMarket): Parts {
  const volume = parseParts(text)
  if (volume === undefined || volume === 0n || !fits(volume, market.lotDecimals))
    throw new Refused('EGeneral:Invalid arguments:volume')
  return volume
}

function readPrice(text: string | null, market: ExchangeMarket): Parts {
  const price = parseParts(text)
  if (price === undefined || price === 0n) throw new Refused('EGeneral:Invalid arguments:price')
  const { wsname, priceDecimals } = market
  if (fits(price, priceDecimals)) return price
  throw new Refused(
    `EOrder:Invalid price:${wsname} price can only be specified up to ${priceDecimals} decimals.`,
  )
}

/** Good-till-date orders need an expiry: in seconds, absolute or from now. */
function readTimeInForce(
  form: URLSearchParams,
  nowMs: number,
): Pick<OrderRequest, 'timeInForce' | 'expiresMs'> {
  const timeInForce = oneOf(form.get('timeinforce') ?? 'GTC', ['GTC', 'IOC', 'GTD'], 'timeinforce')
  if (form.get('ordertype') === 'market') return { timeInForce: 'IOC', expiresMs: undefined }
  if (timeInForce !== 'GTD') return { timeInForce, expiresMs: undefined }
  const [, isFromNow, seconds] = /^(\+?)(\d{1,10})$/.exec(form.get('expiretm') ?? '') ?? []
  const expiresMs = Number(seconds) * 1_000 + (isFromNow ? nowMs : 0)
  if (!(expiresMs > nowMs)) throw new Refused('EGeneral:Invalid arguments:expiretm')
  return { timeInForce, expiresMs }
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const HEX = /^[0-9a-f]{32}$/i
/** Documented as ASCII; capital letters are known to be refused. */
const FREE_TEXT = /^[a-z0-9_-]{1,18}$/

/** A UUID with or without its dashes, or a short text. */
function readClientOrderId(text: string | null): string | undefined {
  if (text === null) return undefined
  if (![UUID, HEX, FREE_TEXT].some((form) => form.test(text)))
    throw new Refused('EGeneral:Invalid arguments:cl_ord_id')
  return text
}

/**
 * Checks that the id is unique among open orders. Once an order has ended, its id can be used
 * again.
 */
function checkUnique({ clientOrderId }: OrderRequest, book: Book): void {
  if (clientOrderId === undefined) return
  const isTaken = book.orders.some(
    (order) => order.status === 'open' && order.clientOrderId === clientOrderId,
  )
  if (isTaken) throw new Refused('EGeneral:Invalid arguments:cl_ord_id not unique')
}

function checkElapsed(deadline: string | null, nowMs: number): void {
  if (deadline === null) return
  if (!RFC_3339.test(deadline) || Number.isNaN(Date.parse(deadline)))
    throw new Refused('EGeneral:Invalid arguments:deadline')
  if (Date.parse(deadline) <= nowMs) throw new Refused('EService:Deadline elapsed')
}

const RFC_3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/

function checkStatus({ market: { status }, type, isPostOnly }: OrderRequest): void {
  const taken: Partial<Record<MarketStatus, boolean>> = {
    online: true,
    post_only: isPostOnly,
    limit_only: type === 'limit',
  }
  if (taken[status] !== true) throw new Refused(`EService:Market in ${status} mode`)
}

function checkMinima({ market, volume, limit }: OrderRequest): void {
  if (volume < partsOf(market.minimumLot))
    throw new Refused('EGeneral:Invalid arguments:volume minimum not met')
  const cost = times({ of: volume, by: limit ?? partsOf(market.lastPrice), places: 10 })
  if (cost < partsOf(market.minimumCost)) throw new Refused('EOrder:Cost minimum not met')
}
