import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { gunzipSync, gzipSync } from 'node:zlib'
import { HOUR_MS } from '#core/market/candle.ts'
import { candleAt } from '#core/market/candle-series.ts'
import type { Pair } from '#core/market/pair.ts'
import type { MarketSource, TradedCandle } from '#server/exchange/market-source.ts'
import { StartupError } from '#server/startup-error.ts'
import { fileOf, HEADER, parseCandles } from './candle-csv.ts'

export type Fetching = {
  source: MarketSource
  directory: string
  /** Start of new files. */
  fromMs: number
  /** Exclusive end, a whole hour. */
  untilMs: number
  say: (line: string) => void
}

/** Pages between two writes of a file: the most that an interrupted run loses. */
const PAGES_A_WRITE = 20

/**
 * Fills `directory` with the hourly candles of every pair that the exchange trades, one file each. Existing files are continued; each write
 * replaces the whole file. Throws if the exchange fails, keeping what was fetched, and throws `StartupError` if a file is of another market.
 */
export async function fetchCandles(fetching: Fetching): Promise<void> {
  await mkdir(fetching.directory, { recursive: true })
  for (const pair of await fetching.source.load()) await fetchPair(fetching, pair)
}

async function fetchPair({ source, directory, fromMs, untilMs, say }: Fetching, pair: Pair): Promise<void> {
  const file = fileOf(directory, pair)
  const begun = existsSync(file) ? await readFile(file) : undefined
  const lines = begun ? gunzipSync(begun).toString('utf8').trimEnd().split('\n') : [HEADER]
  const last = begun && lastOf(begun, file)
  const had = lines.length
  let writtenLines = had
  let nextMs = last ? last.openTimeMs : fromMs
  try {
    for (let page = 1; nextMs < untilMs; page += 1) {
      const candles = inOrder(await source.candles({ pair, fromMs: nextMs }), { fromMs: nextMs, untilMs })
      if (page === 1 && last) refuseStrangers(candles[0], { last, file })
      const fresh = candles.filter(({ openTimeMs }) => openTimeMs !== last?.openTimeMs)
      lines.push(...fresh.map(({ openTimeMs, printed }) => `${openTimeMs},${printed}`))
      const newest = fresh.at(-1)
      // A page without candles is a period without a market: continue after it.
      nextMs = newest ? newest.openTimeMs + HOUR_MS : nextMs + source.pageSize * HOUR_MS
      if (page % PAGES_A_WRITE === 0) writtenLines = await replace(file, lines)
    }
  } finally {
    if (lines.length > writtenLines) await replace(file, lines)
  }
  say(`${pair}: ${lines.length - had} candles added, ${lines.length - 1} in ${file}`)
}

function lastOf(gzipped: Buffer, file: string) {
  const series = parseCandles(gzipped, file)
  return series.length === 0 ? undefined : candleAt(series, series.length - 1)
}

/** The exchange must return the file's last candle unchanged: prices of two markets, or of two versions, make no history. */
function refuseStrangers(fetched: TradedCandle | undefined, { last, file }: { last: ReturnType<typeof candleAt>; file: string }): void {
  if (fetched?.openTimeMs === last.openTimeMs && fetched.open === last.open && fetched.close === last.close) return
  const hour = new Date(last.openTimeMs).toISOString()
  throw new StartupError(`${file} ends with a candle of ${hour} that this exchange does not return, or returns differently: fetch into another folder.`)
}

/** Sorts by time and removes duplicates. */
function inOrder(page: readonly TradedCandle[], { fromMs, untilMs }: { fromMs: number; untilMs: number }): TradedCandle[] {
  const wanted = page.filter(({ openTimeMs }) => openTimeMs >= fromMs && openTimeMs < untilMs)
  return [...new Map(wanted.map((candle) => [candle.openTimeMs, candle])).values()].toSorted((a, b) => a.openTimeMs - b.openTimeMs)
}

async function replace(file: string, lines: readonly string[]): Promise<number> {
  await writeFile(`${file}.part`, gzipSync(`${lines.join('\n')}\n`))
  await rename(`${file}.part`, file)
  return lines.length
}
