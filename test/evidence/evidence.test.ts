import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { pino } from 'pino'
import { afterAll, expect, test } from 'vitest'
import type { EvidenceFigures } from '#contract/evidence.ts'
import { required } from '#core/assert.ts'
import { DAY_MS } from '#core/market/candle.ts'
import { candleAt } from '#core/market/candle-series.ts'
import { baseOf, PAIRS, type Pair } from '#core/market/pair.ts'
import { simulatedCandles } from '#core/market/simulated-market.ts'
import { unitsToDecimal } from '#core/money/decimal.ts'
import { RISK_LEVELS, type RiskLevel } from '#core/strategy/risk-level.ts'
import type { StrategyKey } from '#core/strategy/strategy-key.ts'
import { VENUE_COSTS } from '#core/trading/costs.ts'
import { openCompute } from '#server/compute/open-compute.ts'
import { KeptEvidence } from '#server/evidence/keep-evidence.ts'
import { replayFeed } from '#server/market/feed-replay.ts'
import { lengthOf } from '../world/length.ts'
import { exposures, FAST, LEVELS, trendsUp, volatilities } from '../second-engine/trends.ts'
import { packedFile, readPackedHours } from './packed-hours.ts'
import {
  deepestFall,
  erasOf,
  followed,
  hashOf,
  held,
  percentText,
  readHours,
  startsOf,
  type Coin,
  type Costs,
  type Hour,
  type Start,
} from './recompute.ts'

/** The candles that ship with the product. */
const SHIPPED = 'data/candles'
const COSTS: Costs = { feeBps: 10n, worseBps: 7n, oursBps: 1_500n }
const TARGET_FROM: Record<RiskLevel, bigint> = { conservative: 15n, moderate: 25n, aggressive: 50n }

const compute = openCompute()
afterAll(() => compute.stop())

/** The product's evidence for the files of a folder. */
async function published(directory: string): Promise<EvidenceFigures> {
  const feed = replayFeed({ directory, startMs: undefined, nowMs: Date.now() })
  const keeper = new KeptEvidence({
    feed,
    recorded: () => [],
    costs: VENUE_COSTS.binance,
    holdFeeBps: 0,
    now: () => new Date(0),
    log: pino({ level: 'silent' }),
    compute,
  })
  const evidence = await keeper.soon(240_000)
  if (evidence.state !== 'figures') throw new Error(evidence.sentence)
  return evidence.figures
}

/** Target exposure after each candle, by the second engine: nothing here comes from the product. */
function wishesOf(hours: readonly Hour[], riskLevel: RiskLevel): Uint16Array {
  const bars = hours.map(({ high, low, close }) => ({
    high: Number(high),
    low: Number(low),
    close: Number(close),
  }))
  const wanted = exposures({
    up: trendsUp(bars, FAST),
    measured: volatilities(bars),
    level: LEVELS[riskLevel],
  })
  return Uint16Array.from(wanted, (percent) => percent * 100)
}

type File = Omit<Coin, 'wishes'> & { name: Pair }

async function coinsIn(directory: string): Promise<File[]> {
  const files = await readdir(directory)
  const present = PAIRS.filter((pair) => files.includes(`${baseOf(pair)}USDT-1h.csv.gz`))
  return present.map((name) => {
    const hours = readHours(join(directory, `${baseOf(name)}USDT-1h.csv.gz`))
    return { name, hours, times: Float64Array.from(hours, ({ at }) => at) }
  })
}

const resultOf = (
  coins: readonly Coin[],
  { start, costs }: { start: number; costs: Costs },
): Given => {
  const { once, monthly, fall } = followed(coins, { start, costs })
  return { start, end: once, monthly, fall }
}

type Given = { start: number; end: bigint; monthly: bigint; fall?: number }

type Falling = { coins: readonly Coin[]; starts: readonly Start[]; costs: Costs }

/** The deepest fall of all windows and of one bot for each universe, in percent. */
function largestDrop(results: readonly Given[], { coins, starts, costs }: Falling): number {
  const whole = erasOf(starts).map(({ members, first, last }) =>
    deepestFall(
      members.flatMap((which) => coins[which] ?? []),
      { start: first, end: last + 365 * DAY_MS, costs },
    ),
  )
  const lost = results.map(({ monthly }) => 1 - Number(monthly) / 1e12)
  return Math.max(...whole, ...lost, ...results.map(({ fall = 0 }) => fall)) * 100
}

/** Summarizes plain results in the format of the evidence. */
function summary(results: readonly Given[]) {
  const sorted = results.toSorted((a, b) => (a.end < b.end ? -1 : a.end > b.end ? 1 : 0))
  const last = sorted.length - 1
  const day = (at: number) => new Date(at).toISOString().slice(0, 10)
  const show = (index: number) => {
    const { start = 0, end = 0n } = sorted[index] ?? {}
    return { percent: percentText(end), from: day(start), to: day(start + 365 * DAY_MS) }
  }
  const losing = results.filter(({ end }) => end < 1_000_000_000_000n).length
  const tenth = Math.floor(last / 10)
  return {
    median: show(Math.floor(last / 2)),
    worst: show(0),
    best: show(last),
    lower: show(tenth),
    upper: show(last - tenth),
    losing,
  }
}

/** The same summary for money in monthly parts. */
function monthlySummary(results: readonly Given[]) {
  const { median, worst, losing } = summary(
    results.map(({ start, monthly }) => ({ start, end: monthly, monthly })),
  )
  const onceHigher = results.filter(({ end, monthly }) => end > monthly).length
  return {
    median,
    worst,
    losingPercent: sharePercent(losing, { of: results.length, rounded: 'up' }),
    onceHigher,
    onceHigherPercent: sharePercent(onceHigher, { of: results.length, rounded: 'down' }),
  }
}

function sharePercent(
  count: number,
  { of, rounded }: { of: number; rounded: 'up' | 'down' },
): string {
  const hundredths =
    rounded === 'up' ? Math.ceil((count * 10_000) / of) : Math.floor((count * 10_000) / of)
  return `${Math.floor(hundredths / 100)}.${String(hundredths % 100).padStart(2, '0')}`
}

async function compare(directory: string): Promise<EvidenceFigures> {
  const figures = await published(directory)
  const files = await coinsIn(directory)
  const starts = startsOf(files)
  expect(figures.windows).toBe(starts.length)
  const parts = files.map(({ name, hours }, which) => ({
    pair: name,
    from: new Date(hours[0]?.at ?? 0).toISOString().slice(0, 10),
    to: new Date(hours.at(-1)?.at ?? 0).toISOString().slice(0, 10),
    windows: starts.filter(({ members }) => members.includes(which)).length,
  }))
  expect(figures.coverage).toEqual(parts)
  expect(figures.pairs).toEqual(parts.filter(({ windows }) => windows > 0).map(({ pair }) => pair))
  for (const riskLevel of RISK_LEVELS) {
    const coins: Coin[] = files.map((file) => ({
      ...file,
      wishes: wishesOf(file.hours, riskLevel),
    }))
    const results = starts.map(({ at: start, members }) =>
      resultOf(
        members.flatMap((which) => coins[which] ?? []),
        { start, costs: COSTS },
      ),
    )
    const reached = results.filter(
      ({ end }) => end >= (1_000_000_000_000n * (100n + TARGET_FROM[riskLevel])) / 100n,
    ).length
    const expected = summary(results)
    expect(
      figures.levels.find((level) => level.riskLevel === riskLevel),
      `${riskLevel} agrees`,
    ).toMatchObject({
      ...expected,
      losingPercent: sharePercent(expected.losing, { of: starts.length, rounded: 'up' }),
      monthly: monthlySummary(results),
      reached,
      reachedPercent: sharePercent(reached, { of: starts.length, rounded: 'down' }),
    })
    expect(
      Number(figures.levels.find((level) => level.riskLevel === riskLevel)?.deepestFall),
    ).toBeCloseTo(largestDrop(results, { coins, starts, costs: COSTS }), 1)
    expect(figures.timeline[riskLevel]).toEqual(
      results.filter((_result, index) => index % 7 === 0).map(({ end }) => percentText(end)),
    )
  }
  for (const other of figures.others) compareFixed(other, { files, starts })
  const coins = files.map((file) => ({ ...file, wishes: new Uint16Array() }))
  expect(figures.buyAndHold).toMatchObject(
    summary(
      starts.map(({ at: start, members }) => ({
        start,
        end: held(
          members.flatMap((which) => coins[which] ?? []),
          { start, costs: COSTS },
        ),
        monthly: 0n,
      })),
    ),
  )
  expect(figures.dataHash).toBe(
    hashOf(coins.filter(({ name }) => figures.pairs.includes(name as Pair))),
  )
  return figures
}

/**
 * Kinds of bots with a constant target, as docs/strategies.md describes them. Nothing here comes
 * from the product.
 */
const FIXED: Partial<Record<StrategyKey, { wish: number; band?: number; oursBps: bigint }>> = {
  hold: { wish: 10_000, oursBps: 0n },
  'balanced-conservative': { wish: 2_500, band: 500, oursBps: 1_500n },
  'balanced-moderate': { wish: 5_000, band: 500, oursBps: 1_500n },
  'balanced-aggressive': { wish: 7_500, band: 500, oursBps: 1_500n },
}

function compareFixed(
  { strategy, ...shown }: EvidenceFigures['others'][number],
  { files, starts }: { files: readonly File[]; starts: readonly Start[] },
): void {
  const { wish, band, oursBps } = required(FIXED[strategy], strategy)
  const costs = { ...COSTS, oursBps }
  const coins = files.map((file): Coin => ({
    ...file,
    wishes: new Uint16Array(file.hours.length + 1).fill(wish),
    ...(band !== undefined && { band }),
  }))
  const results = starts.map(({ at: start, members }) =>
    resultOf(
      members.flatMap((which) => coins[which] ?? []),
      { start, costs },
    ),
  )
  const expected = summary(results)
  expect(shown, `${strategy} agrees`).toMatchObject({
    ...expected,
    losingPercent: sharePercent(expected.losing, { of: starts.length, rounded: 'up' }),
    monthly: monthlySummary(results),
  })
  expect(Number(shown.deepestFall)).toBeCloseTo(largestDrop(results, { coins, starts, costs }), 1)
}

/** Days since the start of 2023 with candles of a pair. */
type Coverage = readonly (readonly [pair: Pair, fromDay: number, toDay: number])[]

/** Writes files of coins with holes. */
async function writeMarket(directory: string, coverage: Coverage): Promise<void> {
  for (const [which, [pair, fromDay, toDay]] of coverage.entries()) {
    const series = simulatedCandles({
      seed: 11,
      pair,
      fromMs: Date.UTC(2023, 0, 1) + fromDay * DAY_MS,
      count: (toDay - fromDay) * 24,
    })
    const lines = Array.from({ length: series.length }, (_, index) => index)
      .filter((index) => index % (97 + which * 40) > 2)
      .map((index) => candleAt(series, index))
      .map(({ openTimeMs, ...prices }) => [openTimeMs, ...pricesText(prices), 1].join(','))
    await writeFile(
      join(directory, `${baseOf(pair)}USDT-1h.csv.gz`),
      gzipSync([HEAD, ...lines].join('\n')),
    )
  }
}

const HEAD = 'ts_ms,open,high,low,close,volume'
const pricesText = ({ open, high, low, close }: Omit<Hour, 'at'>): string[] =>
  [open, high, low, close].map((price) => unitsToDecimal(price, 8))

test.each<[string, Coverage]>([
  [
    'two coins with holes',
    [
      ['BTC/USDT', 0, 470],
      ['SOL/USDT', 0, 470],
    ],
  ],
  [
    'a coin that dies',
    [
      ['BTC/USDT', 0, 490],
      ['SOL/USDT', 0, 230],
    ],
  ],
  [
    'a coin that died before the longest trend could be judged',
    [
      ['BTC/USDT', 0, 470],
      ['SOL/USDT', 0, 79],
    ],
  ],
  [
    'young coins: one that takes part and one that cannot yet',
    [
      ['BTC/USDT', 0, 500],
      ['SOL/USDT', 40, 500],
      ['XRP/USDT', 300, 500],
    ],
  ],
  [
    'ragged ends',
    [
      ['BTC/USDT', 0, 480],
      ['ETH/USDT', 0, 460],
      ['SOL/USDT', 15, 475],
    ],
  ],
])('the evidence matches an independent computation: %s', async (_name, coverage) => {
  const directory = await mkdtemp(join(tmpdir(), 'evidence-'))
  try {
    await writeMarket(directory, coverage)
    const figures = await compare(directory)
    expect(figures.windows).toBeGreaterThan(10)
  } finally {
    await rm(directory, { recursive: true })
  }
})

/** How many of the five years in the files are computed again. */
const YEARS = lengthOf({ usual: 2, full: 5 })
const WHOLE =
  YEARS === 5 ? { windows: 1_380, from: '2020-12-10' } : { windows: 286, from: '2023-12-09' }

test(`the evidence of ${YEARS} years of candles matches an independent computation`, async () => {
  const directory = await mkdtemp(join(tmpdir(), 'evidence-'))
  try {
    for (const name of await readdir(SHIPPED))
      if (name.endsWith('.candles')) await writeLastDays(name, { directory, last: YEARS * 365 + 1 })
    const figures = await compare(directory)
    expect(figures).toMatchObject({ ...WHOLE, to: '2025-09-19', windowDays: 365 })
  } finally {
    await rm(directory, { recursive: true })
  }
})

/**
 * Writes the last days of packed candles, which an independent reader reads, as a file of plain
 * ones.
 */
async function writeLastDays(
  name: string,
  { directory, last }: { directory: string; last: number },
): Promise<void> {
  const symbol = name.replace('.candles', '')
  const lines = readPackedHours(packedFile(SHIPPED, symbol))
    .slice(-last * 24)
    .map(({ at, ...prices }) => [at, ...pricesText(prices), 1].join(','))
  await writeFile(join(directory, `${symbol}-1h.csv.gz`), gzipSync([HEAD, ...lines].join('\n')))
}
