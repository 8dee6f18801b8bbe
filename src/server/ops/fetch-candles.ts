import { floorHour, YEAR_MS } from '#core/market/candle.ts'
import { readConfig } from '#server/config.ts'
import { marketSource } from '#server/exchange/market-source.ts'
import { EXCHANGES } from '#server/exchange/open-exchange.ts'
import { fetchCandles } from '#server/market/fetch-candles.ts'
import { LIVE_TIMINGS } from '#server/market/live-timings.ts'
import { StartupError } from '#server/startup-error.ts'

/** `npm run data:fetch -- [FROM]`: EXCHANGE's hourly candles since FROM, such as 2023-01-01, into MARKET_DATA_DIR. A second run continues. */

const YEARS = 5

async function run(from: string | undefined): Promise<void> {
  const { EXCHANGE: name, EXCHANGE_REST_URL: restUrl, MARKET_DATA_DIR: directory } = readConfig()
  const fromMs = from === undefined ? Date.now() - YEARS * YEAR_MS : Date.parse(from)
  if (Number.isNaN(fromMs)) throw new StartupError(`${from} is not a date such as 2023-01-01.`)
  if (name === 'kraken') console.log('Kraken provides only the last 720 hours: use EXCHANGE=coinbase or binance for years of history.')
  const source = marketSource({ name, restUrl })
  const untilMs = floorHour(Date.now() - LIVE_TIMINGS.closeMarginMs)
  console.log(`${EXCHANGES[name]}'s candles since ${new Date(fromMs).toISOString().slice(0, 10)} go to ${directory}`)
  await fetchCandles({ source, directory, fromMs: floorHour(fromMs), untilMs, say: console.log })
}

try {
  await run(process.argv[2])
} catch (error) {
  console.error(error instanceof StartupError ? error.message : `The exchange failed; run this again to continue. (${String(error).slice(0, 200)})`)
  process.exitCode = 1
}
