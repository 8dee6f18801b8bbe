import type { WebSocket } from 'ws'
import type { PrintedCandle } from './exchange-candles.ts'
import type { RestAnswer, RestRequest } from './exchange-side.ts'
import type { ExchangeMarket, ExchangeState } from './exchange-state.ts'
import type { Book, BookRules } from './orders/book.ts'
import type { Limits } from './kraken/counters.ts'

export type MarketAsked = {
  state: ExchangeState
  /** Changes the candles in responses: their order, holes, duplicates. */
  candles: (candles: PrintedCandle[], market: ExchangeMarket) => PrintedCandle[]
  request: RestRequest
}

/** A websocket: subscriptions, updates, pings. */
export type MarketStream = {
  opened: (socket: WebSocket, path: string) => void
  /** True if the message was for this part. */
  heard: (socket: WebSocket, message: Record<string, unknown>) => boolean
  /** Sends the ticker of a market to every subscriber. */
  tell: (market: ExchangeMarket) => void
  heartbeat: () => void
  /** Sends nothing more except pongs. */
  hush: (isHushed: boolean) => void
  sockets: () => readonly WebSocket[]
}

export type AccountAsked = {
  state: ExchangeState
  book: Book
  request: RestRequest
  options: AccountOptions
}

export type AccountOptions = {
  key: string
  /** In the exchange's format: base64 at Kraken, a private key in PEM at Coinbase. */
  secret: string
  balances?: Record<string, string>
  /** Kraken: by default those of its highest tier. */
  limits?: Partial<Limits>
  /** Kraken: the balances earn rewards, and are named XBT.F and USD.F, or .B. */
  rewards?: 'F' | 'B'
  /** Binance: fees are taken from BNB while there is enough. */
  spotBNBBurn?: boolean
  /** Kraken and Binance: the key may withdraw. */
  mayWithdraw?: boolean
}

/** Settings that the owner of an account can change at the exchange. */
export type AccountSettings = Pick<AccountOptions, 'spotBNBBurn' | 'mayWithdraw'>

/** The faults that apply before anything is executed. */
export type DoorFault =
  | 'drop-before'
  | 'hang'
  | 'rate-limit'
  | 'maintenance'
  | 'unavailable'
  | 'busy'
  | 'internal-error'

/** The differences between exchanges: addresses, names, signatures, answers. */
export type Dialect = {
  /** The call at an address, undefined if there is none. */
  route: (method: string, path: string) => Pick<RestRequest, 'access' | 'name'> | undefined
  unknownCall: RestAnswer
  unknownMessage: (message: Record<string, unknown>) => object
  tooManyCalls: RestAnswer
  unavailable: RestAnswer
  market: (asked: MarketAsked) => RestAnswer | undefined
  stream: (state: ExchangeState) => MarketStream
  /** The call that places an order. */
  placing: string
  rules: BookRules | ((parts: { state: ExchangeState; options: AccountOptions }) => BookRules)
  /** Checks key, signature, time and rate; undefined lets the request in. */
  admission: (parts: {
    state: ExchangeState
    book: Book
    options: AccountOptions
  }) => (request: RestRequest) => RestAnswer | undefined
  account: (asked: AccountAsked) => RestAnswer | undefined
  atTheDoor: Readonly<Record<DoorFault, RestAnswer>>
  /** The documented refusal of this code. */
  refusal: (code: string) => RestAnswer
}
