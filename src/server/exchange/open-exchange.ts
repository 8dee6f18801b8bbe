import type { Exchange } from 'ccxt'
import type { VenueName } from '#core/trading/costs.ts'
import { signUnder, type Nonces } from './nonces.ts'

/** The supported exchanges and their names on screen. */
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
  /** A request without a response by then counts as failed. */
  timeoutMs?: number
  /** Interval between two requests; default: the exchange's own limit. */
  rateLimitMs?: number
}

/** Disables the client's own reconnection delays, because we control them. */
const OWN_RETRIES = { ws: { backoff: { base: 0, max: 0 } } }

type Loaded = { default: new (options: object) => Exchange }

/**
 * Opens the client of one exchange. Only its own file is loaded (the package of all takes 0.5 s and
 * 90 MB), and numbers stay decimal strings. Public calls need neither key nor nonces.
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
    ...(apiKey !== undefined && { apiKey }),
    ...(secret !== undefined && { secret }),
    options: {
      ...OWN_RETRIES,
      ...(name === 'binance' && { fetchMargins: false, fetchMarkets: { types: ['spot'] } }),
    },
  })
  exchange.has['fetchCurrencies'] = false
  exchange.urls['api'] = redirect(exchange.urls['api'], { restUrl, wsUrl })
  // The other exchanges check the time of signing, and accept two requests of the same millisecond.
  if (name === 'kraken' && nonces !== undefined) signUnder(exchange, nonces)
  // Plain ws:// needs the client's agents to be loaded.
  if (wsUrl?.startsWith('ws:')) await exchange.loadHttpProxyAgent()
  return exchange
}

type Hosts = { restUrl: string | undefined; wsUrl: string | undefined }

/** The same paths on another host. */
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
