import { existsSync } from 'node:fs'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { HOUR_MS, type Candle } from '#core/market/candle.ts'
import { candleAt, seriesOf } from '#core/market/candle-series.ts'
import { judgeCandles } from '#core/market/judge-candles.ts'
import type { Pair } from '#core/market/pair.ts'
import type { MarketSource } from '#server/exchange/market-source.ts'
import { StartupError } from '#server/kernel/errors.ts'
import { packCandleFile, packedFileOf, readCandleFile, type CandleOrigin } from './candle-file.ts'

export type Fetching = CandleOrigin & {
  market: MarketSource
  /** Undefined: all pairs that the exchange trades. */
  pairs: readonly Pair[] | undefined
  directory: string
  /** Start of new files. */
  fromMs: number
  /** Exclusive end, a whole hour. */
  untilMs: number
  say: (line: string) => void
}

/** The most pages that an interrupted run loses. */
const PAGES_A_WRITE = 20

/**
 * Fills `directory` with hourly candles, one packed file a pair, and continues existing files.
 * Keeps what was fetched if the exchange fails. Throws `StartupError` if it does not trade a pair,
 * or a file is of another market.
 */
export async function fetchCandles(fetching: Fetching): Promise<void> {
  const { market, directory, pairs } = fetching
  await mkdir(directory, { recursive: true })
  const traded = await market.load()
  const missing = pairs?.find((pair) => !traded.includes(pair))
  if (missing !== undefined)
    throw new StartupError(`${fetching.exchange} does not trade ${missing}.`)
  for (const pair of pairs ?? traded) await fetchPair(fetching, pair)
}

async function fetchPair(fetching: Fetching, pair: Pair): Promise<void> {
  const { market, directory, fromMs, untilMs, say } = fetching
  const file = packedFileOf(directory, pair)
  const candles = existsSync(file) ? candlesIn(file, { pair, untilMs }) : []
  const last = candles.at(-1)
  const had = candles.length
  let written = had
  let nextMs = last ? last.openTimeMs : fromMs
  try {
    for (let page = 1; nextMs < untilMs; page += 1) {
      const fetched = inOrder(await market.candles({ pair, fromMs: nextMs }), {
        fromMs: nextMs,
        untilMs,
      })
      if (page === 1 && last) refuseStrangers(fetched[0], { last, file })
      const fresh = fetched.filter(({ openTimeMs }) => openTimeMs !== last?.openTimeMs)
      candles.push(...fresh)
      const newest = fresh.at(-1)
      // A page without candles is a period without a market.
      nextMs = newest ? newest.openTimeMs + HOUR_MS : nextMs + market.pageSize * HOUR_MS
      if (page % PAGES_A_WRITE === 0) written = await replace({ ...fetching, pair, file }, candles)
    }
  } finally {
    if (candles.length > written) await replace({ ...fetching, pair, file }, candles)
  }
  say(`${pair}: ${candles.length - had} candles added, ${candles.length} in ${file}`)
}

function candlesIn(file: string, { pair, untilMs }: { pair: Pair; untilMs: number }): Candle[] {
  const series = readCandleFile({ file, pair, untilMs })
  return Array.from({ length: series.length }, (_, index) => candleAt(series, index))
}

/**
 * Refuses unless the exchange returns the file's last candle unchanged, so that prices of two
 * markets are never joined.
 */
function refuseStrangers(
  fetched: Candle | undefined,
  { last, file }: { last: Candle; file: string },
): void {
  if (
    fetched?.openTimeMs === last.openTimeMs &&
    fetched.open === last.open &&
    fetched.close === last.close
  )
    return
  const hour = new Date(last.openTimeMs).toISOString()
  throw new StartupError(
    `${file} ends with a candle of ${hour} that this exchange does not return, or returns ` +
      'differently: fetch into another folder.',
  )
}

function inOrder(
  page: readonly Candle[],
  { fromMs, untilMs }: { fromMs: number; untilMs: number },
): Candle[] {
  const wanted = page.filter(({ openTimeMs }) => openTimeMs >= fromMs && openTimeMs < untilMs)
  return [...new Map(wanted.map((candle) => [candle.openTimeMs, candle])).values()].toSorted(
    (a, b) => a.openTimeMs - b.openTimeMs,
  )
}

/** Writes the good candles. Returns the number of bad ones. */
async function replace(
  { pair, file, untilMs, say, ...origin }: Fetching & { pair: Pair; file: string },
  candles: Candle[],
): Promise<number> {
  for (const { index, fault } of judgeCandles(candles, { untilMs }).toReversed()) {
    candles.splice(index, 1)
    say(`${pair}: left out candle ${index + 1}, which ${fault}`)
  }
  if (candles.length === 0) return 0
  await writeFile(`${file}.part`, packCandleFile(seriesOf(candles), { pair, ...origin }))
  await rename(`${file}.part`, file)
  return candles.length
}
