import type { Exchange } from 'ccxt'
import { signUnder, type Nonces } from './nonces.ts'

/** The exchanges that can be chosen, and what they are called on screen. */
export const EXCHANGES = { kraken: 'Kraken', binance: 'Binance', coinbase: 'Coinbase' } as const
export type ExchangeName = keyof typeof EXCHANGES

export type ExchangeAccess = {
  name: ExchangeName
  restUrl?: string | undefined
  wsUrl?: string | undefined
  apiKey?: string | undefined
  secret?: string | undefined
  /** A request without an answer counts as failed. */
  timeoutMs?: number
  /** Between two requests, where that is not the exchange's own limit. */
  rateLimitMs?: number
}

/** The client would wait on its own before it connects again; how long is ours to say. */
const OWN_RETRIES = { ws: { backoff: { base: 0, max: 0 } } }

type Loaded = { default: new (options: object) => Exchange }

/**
 * The client of one exchange. Only its own file is loaded (the package of all takes 0.5 s and 90 MB), and numbers stay the decimals that
 * they came as. Public calls need neither key nor nonces.
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
    options: { ...OWN_RETRIES, ...(name === 'binance' && { fetchMargins: false, fetchMarkets: { types: ['spot'] } }) },
  })
  exchange.has['fetchCurrencies'] = false
  exchange.urls['api'] = redirect(exchange.urls['api'], { restUrl, wsUrl })
  // The others check the time that a request was signed at, and take two of the same millisecond.
  if (name === 'kraken' && nonces !== undefined) signUnder(exchange, nonces)
  // Plain ws:// needs the client's agents to be there.
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
  return Object.fromEntries(Object.entries(urls).map(([key, value]) => [key, redirect(value, hosts)]))
}
