import { mkdirSync, writeFileSync } from 'node:fs'
import { PAIRS } from '#core/market/pair.ts'
import {
  findCandleFile,
  packCandleFile,
  packedFileOf,
  readCandles,
} from '#server/market/candle-file.ts'

/**
 * `npx node scripts/pack-candles.ts FROM INTO EXCHANGE SOURCE LICENCE`: writes the candles in the
 * gzipped CSV files of a folder as the packed files that the product reads.
 */
const [from, into, exchange, source, licence] = process.argv.slice(2)
if (
  from === undefined ||
  into === undefined ||
  exchange === undefined ||
  source === undefined ||
  licence === undefined
) {
  console.error('npx node scripts/pack-candles.ts FROM INTO EXCHANGE SOURCE LICENCE')
  process.exit(1)
}
mkdirSync(into, { recursive: true })
for (const pair of PAIRS.filter((each) => findCandleFile(from, each) !== undefined)) {
  const series = readCandles(from, { pair, untilMs: Date.now() })
  if (series === undefined) continue
  const bytes = packCandleFile(series, { pair, exchange, source, licence })
  writeFileSync(packedFileOf(into, pair), bytes)
  console.log(`${pair}: ${series.length} candles in ${bytes.length} bytes`)
}
