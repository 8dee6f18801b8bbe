import { join } from 'node:path'
import { floorHour, YEAR_MS } from '#core/market/candle.ts'
import { parsePair, PAIRS, type Pair } from '#core/market/pair.ts'
import { readConfig } from '#server/settings/config.ts'
import { marketSource } from '#server/exchange/market-source.ts'
import { EXCHANGES } from '#server/exchange/open-exchange.ts'
import { FETCHED_FOLDER } from '#server/market/recorded-candles.ts'
import { fetchCandles } from '#server/market/fetch-candles.ts'
import { LIVE_TIMINGS } from '#server/market/live-timings.ts'
import { StartupError } from '#server/kernel/errors.ts'
import { whenUnread } from '#server/kernel/readable-log.ts'

/**
 * `npm run data:fetch -- [SYMBOL…] [FROM]`: hourly candles of EXCHANGE for the named pairs (LTC,
 * LTC/USDT or LTCUSDT) or all, since FROM (2023-01-01), into `candles` in DATA_DIR, where the
 * evidence reads them. A second run continues.
 */

const YEARS = 5

async function run(words: readonly string[]): Promise<void> {
  const { EXCHANGE: name, EXCHANGE_REST_URL: restUrl, DATA_DIR } = readConfig()
  const directory = join(DATA_DIR, FETCHED_FOLDER)
  const [from, ...others] = words.filter((word) => /^\d/.test(word))
  const fromMs = from === undefined ? Date.now() - YEARS * YEAR_MS : Date.parse(from)
  if (Number.isNaN(fromMs) || others.length > 0)
    throw new StartupError(
      `${others[0] ?? from} is not a date such as 2023-01-01, of which there may be one.`,
    )
  const named = words.filter((word) => !/^\d/.test(word)).map(pairOf)
  if (name === 'kraken')
    console.log(
      'Kraken provides only the last 720 hours: use EXCHANGE=coinbase or binance for years of ' +
        'history.',
    )
  const market = marketSource({ name, restUrl })
  const untilMs = floorHour(Date.now() - LIVE_TIMINGS.closeMarginMs)
  console.log(
    `${EXCHANGES[name]}'s candles since ${new Date(fromMs).toISOString().slice(0, 10)} go to ` +
      directory,
  )
  const origin = {
    exchange: EXCHANGES[name],
    source: `${EXCHANGES[name]} spot, 1 h, from its public API`,
    licence: '',
  }
  await fetchCandles({
    market,
    pairs: named.length > 0 ? named : undefined,
    directory,
    fromMs: floorHour(fromMs),
    untilMs,
    say: console.log,
    ...origin,
  })
}

/** The pair of 'LTC', 'LTC/USDT' or 'LTCUSDT', in any case. */
function pairOf(word: string): Pair {
  const pair = parsePair(`${word.toUpperCase().replace(/\/?USDT?$/, '')}/USDT`)
  if (pair === undefined)
    throw new StartupError(`${word} is none of the pairs that bots trade: ${PAIRS.join(', ')}.`)
  return pair
}

whenUnread(() => process.exit())

try {
  await run(process.argv.slice(2))
} catch (error) {
  console.error(
    error instanceof StartupError
      ? error.message
      : `The exchange failed; run this again to continue. (${String(error).slice(0, 200)})`,
  )
  process.exitCode = 1
}
