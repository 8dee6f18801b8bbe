import { baseOf, PAIRS, type Pair } from '#core/market/pair.ts'
import type { CryptoAsset } from '#core/money/asset.ts'
import type { ExchangeName } from './open-exchange.ts'

/** The product's pairs are quoted in dollars; an exchange has them against dollars or against a token of a dollar. The first it has is taken. */
export const QUOTES: Record<ExchangeName, readonly [string, ...string[]]> = {
  kraken: ['USD', 'USDT'],
  binance: ['USDT', 'FDUSD', 'USDC'],
  coinbase: ['USD', 'USDC'],
}

/** MATIC became POL in September 2024; an exchange may still know it by the old name. */
const BASES: Partial<Record<CryptoAsset, readonly string[]>> = { POL: ['POL', 'MATIC'] }

/** What the exchange calls each pair that it trades; pairs that it lacks are left out. */
export function symbolsOf(name: ExchangeName, isTraded: (symbol: string) => boolean): Map<Pair, string> {
  return new Map(
    PAIRS.flatMap((pair) => {
      const base = baseOf(pair)
      const named = (BASES[base] ?? [base]).flatMap((each) => QUOTES[name].map((quote) => `${each}/${quote}`))
      const symbol = named.find(isTraded)
      return symbol === undefined ? [] : [[pair, symbol] as const]
    }),
  )
}
