import type { Exchange } from 'ccxt'
import type { VenueName } from '#core/trading/costs.ts'
import { signUnder, type Nonces } from './nonces.ts'
import { baseOf, PAIRS, type Pair } from '#core/market/pair.ts'
import type { CryptoAsset } from '#core/money/asset.ts'

/** Names as on screen. */
export const EXCHANGES = {
  kraken: 'Kraken',
  binance: 'Binance',
  coinbase: 'Coinbase',
} as const satisfies Record<VenueName, string>
export type ExchangeName = VenueName

export type ExchangeAccess = {
  name: ExchangeName
  restUrl?: string | undefined
  wsUrl?: string | undefined
  apiKey?: string | undefined
  secret?: string | undefined
  timeoutMs?: number
  /** Default: the exchange's own limit. */
  rateLimitMs?: number
}

/** We control the reconnection delays. */
const OWN_RETRIES = { ws: { backoff: { base: 0, max: 0 } } }

type Loaded = { default: new (options: object) => Exchange }

/**
 * Opens the client of one exchange, with decimal strings for numbers. Loads only the file of this
 * exchange, because the whole package takes 0.5 s and 90 MB. Public calls need neither key nor
 * nonces.
 */
export async function openExchange(access: ExchangeAccess, nonces?: Nonces): Promise<Exchange> {
  const { name, restUrl, wsUrl, apiKey, secret, timeoutMs = 10_000, rateLimitMs } = access
  const file = new URL(`src/pro/${name}.js`, import.meta.resolve('ccxt'))
  const { default: Client } = (await import(file.href)) as Loaded
  const exchange = new Client({
    enableRateLimit: true,
    timeout: timeoutMs,
    number: String,
    ...(rateLimitMs !== undefined && { rateLimit: rateLimitMs }),
    ...(apiKey !== undefined && { apiKey: unquoted(apiKey) }),
    ...(secret !== undefined && { secret: unquoted(secret) }),
    options: {
      ...OWN_RETRIES,
      ...(name === 'binance' && {
        fetchMargins: false,
        fetchMarkets: { types: ['spot'] },
        // Signs half a second behind our clock, because the exchange refuses requests signed a
        // second ahead of its own.
        timeDifference: 500,
      }),
    },
  })
  exchange.has['fetchCurrencies'] = false
  keepAnswers(exchange)
  exchange.urls['api'] = redirect(exchange.urls['api'], { restUrl, wsUrl })
  // Other exchanges check the time of signing, and accept two requests signed in one millisecond.
  if (name === 'kraken' && nonces !== undefined) signUnder(exchange, nonces)
  // Plain ws:// needs the client's agents.
  if (wsUrl?.startsWith('ws:')) await exchange.loadHttpProxyAgent()
  return exchange
}

/** Removes quotes and restores line ends in a key that was copied from a file. */
const unquoted = (key: string): string =>
  key
    .trim()
    .replace(/^(["'])(.*)\1$/s, '$2')
    .replaceAll('\\n', '\n')

const ANSWERS = new WeakMap<Error, { status: number; body: unknown }>()

/** The exchange's own answer behind an error; undefined if there was none. */
export const answerOf = (error: unknown): { status: number; body: unknown } | undefined =>
  error instanceof Error ? ANSWERS.get(error) : undefined

/**
 * Keeps the exchange's own answers, because the client's classes of errors mean something else at
 * each exchange, and drop the code.
 */
function keepAnswers(exchange: Exchange): void {
  const [read, refuse] = [
    exchange.handleErrors.bind(exchange),
    exchange.handleHttpStatusCode.bind(exchange),
  ]
  const keeping = <Result>(answer: { status: number; body: unknown }, work: () => Result) => {
    try {
      return work()
    } catch (error) {
      if (error instanceof Error) ANSWERS.set(error, answer)
      throw error
    }
  }
  exchange.handleErrors = (...all: Parameters<typeof read>) =>
    keeping({ status: all[0], body: all[6] }, () => read(...all))
  exchange.handleHttpStatusCode = (...all: Parameters<typeof refuse>) =>
    keeping({ status: all[0], body: undefined }, () => refuse(...all))
}

type Hosts = { restUrl: string | undefined; wsUrl: string | undefined }

function redirect(urls: Exchange['urls'][string], hosts: Hosts): Exchange['urls'][string] {
  if (typeof urls === 'string') {
    const host = urls.startsWith('ws') ? hosts.wsUrl : hosts.restUrl
    return host === undefined ? urls : urls.replace(/^\w+:\/\/[^/]+/, host.replace(/\/$/, ''))
  }
  if (typeof urls !== 'object') return urls
  return Object.fromEntries(
    Object.entries(urls).map(([key, value]) => [key, redirect(value, hosts)]),
  )
}

/** Dollars or dollar tokens; the first available quote is used. */
export const QUOTES: Record<ExchangeName, readonly [string, ...string[]]> = {
  kraken: ['USD', 'USDT'],
  binance: ['USDT', 'FDUSD', 'USDC'],
  coinbase: ['USD', 'USDC'],
}

/** MATIC became POL in September 2024; an exchange may still use the old name. */
export const basesOf = (asset: CryptoAsset): readonly string[] =>
  asset === 'POL' ? ['POL', 'MATIC'] : [asset]

/** The symbol of each pair that the exchange trades. */
export function symbolsOf(
  name: ExchangeName,
  isTraded: (symbol: string) => boolean,
): Map<Pair, string> {
  return new Map(
    PAIRS.flatMap((pair) => {
      const base = baseOf(pair)
      const named = basesOf(base).flatMap((each) => QUOTES[name].map((quote) => `${each}/${quote}`))
      const symbol = named.find(isTraded)
      return symbol === undefined ? [] : [[pair, symbol] as const]
    }),
  )
}

export const RETRY_FLOOR_MS = 1_000
const RETRY_CEILING_MS = 30_000

/**
 * Delay after `failures` in a row: random between one second and a bound that doubles up to half a
 * minute, so that clients do not all reconnect at once. `random` is in [0, 1).
 */
export function retryDelayMs({ failures, random }: { failures: number; random: number }): number {
  const boundMs = Math.min(RETRY_CEILING_MS, RETRY_FLOOR_MS * 2 ** Math.min(failures, 10))
  return RETRY_FLOOR_MS + random * (boundMs - RETRY_FLOOR_MS)
}
