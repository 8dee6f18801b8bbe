import { baseOf, PAIRS, type Pair } from '#core/market/pair.ts'
import type { CryptoAsset } from '#core/money/asset.ts'
import type { ExchangeName } from './open-exchange.ts'

/**
 * The product's pairs are quoted in dollars; exchanges quote them in dollars or dollar tokens. The
 * first available quote is used.
 */
export const QUOTES: Record<ExchangeName, readonly [string, ...string[]]> = {
  kraken: ['USD', 'USDT'],
  binance: ['USDT', 'FDUSD', 'USDC'],
  coinbase: ['USD', 'USDC'],
}

/** MATIC became POL in September 2024; an exchange may still use the old name. */
const BASES: Partial<Record<CryptoAsset, readonly string[]>> = { POL: ['POL', 'MATIC'] }

/** The exchange's symbol for each pair that it trades. */
export function symbolsOf(
  name: ExchangeName,
  isTraded: (symbol: string) => boolean,
): Map<Pair, string> {
  return new Map(
    PAIRS.flatMap((pair) => {
      const base = baseOf(pair)
      const named = (BASES[base] ?? [base]).flatMap((each) =>
        QUOTES[name].map((quote) => `${each}/${quote}`),
      )
      const symbol = named.find(isTraded)
      return symbol === undefined ? [] : [[pair, symbol] as const]
    }),
  )
}
