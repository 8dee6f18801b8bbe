import { BINANCE } from './binance/dialect.ts'
import { COINBASE } from './coinbase/dialect.ts'
import type { Dialect } from './exchange-dialect.ts'
import type { ExchangeName } from './exchange-state.ts'
import { KRAKEN } from './kraken/dialect.ts'

export const DIALECTS: Readonly<Record<ExchangeName, Dialect>> = {
  kraken: KRAKEN,
  binance: BINANCE,
  coinbase: COINBASE,
}
