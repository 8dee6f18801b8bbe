import type { RestAnswer } from '../exchange.ts'
import type { ExchangeMarket, ExchangeState } from '../exchange-state.ts'
import type { Book, OrderRequest } from './book.ts'
import { fits, parseParts, partsOf, times, type Parts } from './decimals.ts'
import { describeOrder } from './print.ts'

/** A refusal in Kraken's own words. */
class Refused extends Error {}

export function addOrder({ state, book, form }: { state: ExchangeState; book: Book; form: URLSearchParams }): RestAnswer {
  try {
    const request = readOrder(state, form)
    checkStatus(request)
    checkMinima(request)
    if (book.orders.some(({ status, clientOrderId }) => status === 'open' && clientOrderId !== undefined && clientOrderId === request.clientOrderId)) {
      throw new Refused('EGeneral:Invalid arguments:cl_ord_id')
    }
    const isValidation = form.get('validate') === 'true'
    const order = book.place(request, { isValidation })
    if (typeof order === 'string') throw new Refused(order)
    const descr = { order: describeOrder(order) }
    if (isValidation) return { result: { descr } }
    return { result: { txid: [order.txid], descr, ...(order.clientOrderId !== undefined && { cl_ord_id: order.clientOrderId }) } }
  } catch (error) {
    if (error instanceof Refused) return { error: [error.message] }
    throw error
  }
}

function readOrder(state: ExchangeState, form: URLSearchParams): OrderRequest {
  const pair = form.get('pair')
  const market = [...state.markets.values()].find(({ id, altname, wsname }) => pair === id || pair === altname || pair === wsname)
  if (market === undefined) throw new Refused('EQuery:Unknown asset pair')
  checkDeadline(form.get('deadline'), state.clock.nowMs())
  const type = oneOf(form.get('ordertype'), ['market', 'limit'], 'ordertype')
  const flags = form.get('oflags')?.split(',') ?? []
  for (const flag of flags) oneOf(flag, ['fciq', 'nompp', 'post'], 'oflags')
  return {
    market,
    side: oneOf(form.get('type'), ['buy', 'sell'], 'type'),
    type,
    volume: readVolume(form.get('volume'), market),
    limit: type === 'limit' ? readPrice(form.get('price'), market) : undefined,
    timeInForce: type === 'market' ? 'IOC' : oneOf(form.get('timeinforce') ?? 'GTC', ['GTC', 'IOC'], 'timeinforce'),
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
  if (volume === undefined || volume === 0n || !fits(volume, market.lotDecimals)) throw new Refused('EGeneral:Invalid arguments:volume')
  return volume
}

function readPrice(text: string | null, market: ExchangeMarket): Parts {
  const price = parseParts(text)
  if (price === undefined || price === 0n) throw new Refused('EGeneral:Invalid arguments:price')
  const { wsname, priceDecimals } = market
  if (!fits(price, priceDecimals)) throw new Refused(`EOrder:Invalid price:${wsname} price can only be specified up to ${priceDecimals} decimals.`)
  return price
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const HEX = /^[0-9a-f]{32}$/i
const FREE_TEXT = /^[\x20-\x7e]{1,18}$/

/** A UUID with or without its dashes, or up to 18 characters of ASCII. */
function readClientOrderId(text: string | null): string | undefined {
  if (text === null) return undefined
  if (![UUID, HEX, FREE_TEXT].some((form) => form.test(text))) throw new Refused('EGeneral:Invalid arguments:cl_ord_id')
  return text
}

const LATEST_DEADLINE_MS = 60_000

function checkDeadline(text: string | null, nowMs: number): void {
  if (text === null) return
  const deadlineMs = Date.parse(text)
  if (Number.isNaN(deadlineMs) || deadlineMs > nowMs + LATEST_DEADLINE_MS) throw new Refused('EGeneral:Invalid arguments:deadline')
  if (deadlineMs < nowMs) throw new Refused('EService:Deadline elapsed')
}

function checkStatus({ market: { status }, type, isPostOnly }: OrderRequest): void {
  const isTaken = { online: true, cancel_only: false, post_only: isPostOnly, limit_only: type === 'limit', reduce_only: false }[status]
  if (!isTaken) throw new Refused(`EService:Market in ${status} mode`)
}

function checkMinima({ market, volume, limit }: OrderRequest): void {
  if (volume < partsOf(market.minimumLot)) throw new Refused('EGeneral:Invalid arguments:volume minimum not met')
  const cost = times({ of: volume, by: limit ?? partsOf(market.lastPrice), places: 10 })
  if (cost < partsOf(market.minimumCost)) throw new Refused('EOrder:Cost minimum not met')
}
