import { expect, test } from 'vitest'
import type { EvidenceFigures } from '#contract/evidence.ts'
import { required } from '#core/assert.ts'
import { evidenceOf, evidenceOfGuards, type EvidenceInput } from '#core/evidence/evidence.ts'
import { HOLDOUT } from '#core/luck/holdout.ts'
import { simulatedCandles } from '#core/market/simulated-market.ts'
import type { Pair } from '#core/market/pair.ts'
import { VENUE_COSTS } from '#core/trading/costs.ts'
import { makeBundle, simulatedOrigin } from '#server/evidence/bundle.ts'
import { showEvidence, showGuardEvidence } from '#server/evidence/show-evidence.ts'
import { readShippedEvidence } from '#server/evidence/shipped-evidence.ts'
import { readTreasuryBills } from '#server/evidence/treasury-bills.ts'
import { brokenLaws, GUARD_LAWS, LEVEL_LAWS, PAGE_LAWS, ROW_LAWS, rowsOf } from './laws.ts'

const DAY = 24
const PAIRS: readonly Pair[] = ['BTC/USDT', 'ETH/USDT', 'SOL/USDT']

/** Random candles of pairs that begin `apart` days after each other. */
function randomInput({
  seed,
  days,
  apart,
  ...money
}: { seed: number; days: number; apart: number } & Omit<
  EvidenceInput,
  'markets' | 'cashRates'
>): EvidenceInput {
  const markets = PAIRS.slice(0, 1 + (seed % 3)).map((pair, which) => ({
    pair,
    series: simulatedCandles({
      seed,
      pair,
      fromMs: Date.UTC(2023, 0, 1 + which * apart),
      count: (days - which * apart) * DAY,
    }),
  }))
  return { ...money, markets, cashRates: readTreasuryBills().rates }
}

const FREE = { feeBps: 0, halfSpreadBps: 0, slippageBps: 0 }
const DEAR = { feeBps: 200, halfSpreadBps: 20, slippageBps: 80 }
const CASES: readonly [string, EvidenceInput][] = [
  [
    'binance',
    randomInput({
      seed: 1,
      days: 500,
      apart: 30,
      costs: VENUE_COSTS.binance,
      feeBps: 1_500,
      holdFeeBps: 0,
    }),
  ],
  [
    'kraken, with interest',
    randomInput({
      seed: 2,
      days: 470,
      apart: 0,
      costs: VENUE_COSTS.kraken,
      feeBps: 1_500,
      holdFeeBps: 1_500,
      yieldBps: 437,
    }),
  ],
  [
    'coinbase',
    randomInput({
      seed: 3,
      days: 560,
      apart: 0,
      costs: VENUE_COSTS.coinbase,
      feeBps: 1_500,
      holdFeeBps: 500,
    }),
  ],
  [
    'no costs',
    randomInput({ seed: 5, days: 460, apart: 10, costs: FREE, feeBps: 0, holdFeeBps: 0 }),
  ],
  [
    'very dear',
    randomInput({
      seed: 8,
      days: 560,
      apart: 20,
      costs: DEAR,
      feeBps: 1_500,
      holdFeeBps: 0,
      yieldBps: 100,
    }),
  ],
]

const shown = (input: EvidenceInput): EvidenceFigures =>
  showEvidence(required(evidenceOf(input), 'a window'), input, 'test')

test('the shipped figures are consistent with each other', () => {
  const { evidence, guards } = readShippedEvidence()
  expect(brokenLaws(evidence, guards)).toEqual([])
})

test.each(CASES)(
  'the figures of random candles are consistent with each other: %s',
  (_name, input) => {
    const figures = shown(input)
    expect(figures.windows).toBeGreaterThan(10)
    expect(
      brokenLaws(figures, showGuardEvidence(required(evidenceOfGuards(input), 'a window'))),
    ).toEqual([])
  },
)

test.each(CASES.slice(0, 3))(
  'every percentage follows from the windows in the proof: %s',
  (_name, input) => {
    const figures = shown(input)
    for (const row of rowsOf(figures).filter(({ name }) => name !== 'buy and hold')) {
      const strategy = row.name as Parameters<typeof makeBundle>[0]['strategy']
      const markets = input.markets.map((market) => ({ ...market, origin: simulatedOrigin(1) }))
      const bundle = required(
        makeBundle({
          ...input,
          strategy,
          markets,
          feeBps: strategy === 'hold' ? input.holdFeeBps : input.feeBps,
          task: { kind: 'windows' },
        }),
        'a proof',
      )
      if (bundle.result.kind !== 'windows') throw new Error('windows')
      expect(fromWindows(bundle.result.windows), `the proof of ${strategy}`).toEqual({
        outcomes: [row.worst, row.lower, row.median, row.upper, row.best].map(
          ({ percent }) => percent,
        ),
        monthly: [row.monthly.worst.percent, row.monthly.median.percent],
        losing: row.losingPercent,
        losingMonthly: row.monthly.losingPercent,
        onceHigher: row.monthly.onceHigherPercent,
        beatsCash: row.beatsCash?.percent,
      })
    }
  },
)

type Windows = readonly { start: string; end: string; monthlyEnd: string; cash: string | null }[]

/** Plain arithmetic on the exact amounts of a proof. */
function fromWindows(windows: Windows) {
  const units = (decimal: string) => BigInt(decimal.replace('.', ''))
  const ends = windows.map(({ start, end }) => ({ start: units(start), end: units(end) }))
  const monthly = windows.map(({ start, monthlyEnd }) => ({
    start: units(start),
    end: units(monthlyEnd),
  }))
  const lost = (all: typeof ends) => all.filter(({ start, end }) => end < start).length
  const compared = windows.filter(({ cash }) => cash !== null)
  const last = windows.length - 1
  const at = (all: typeof ends, place: number) => gains(all)[place]
  const tenth = Math.floor(last / 10)
  return {
    outcomes: [0, tenth, Math.floor(last / 2), last - tenth, last].map((place) => at(ends, place)),
    monthly: [at(monthly, 0), at(monthly, Math.floor(last / 2))],
    losing: percent(lost(ends), { of: windows.length, isUp: true }),
    losingMonthly: percent(lost(monthly), { of: windows.length, isUp: true }),
    onceHigher: percent(ends.filter(({ end }, which) => end > (monthly[which]?.end ?? 0n)).length, {
      of: windows.length,
      isUp: false,
    }),
    beatsCash: percent(compared.filter(({ end, cash }) => units(end) > units(cash ?? '0')).length, {
      of: compared.length,
      isUp: false,
    }),
  }
}

/** Gains in order, floored to hundredths of a percent. */
function gains(all: readonly { start: bigint; end: bigint }[]): string[] {
  const hundredths = all.map(({ start, end }) => {
    const [whole, rest] = [((end - start) * 10_000n) / start, ((end - start) * 10_000n) % start]
    return Number(rest < 0n ? whole - 1n : whole)
  })
  return hundredths.toSorted((a, b) => a - b).map((figure) => (figure / 100).toFixed(2))
}

function percent(count: number, { of, isUp }: { of: number; isUp: boolean }): string {
  const exact = (BigInt(count) * 10_000n) / BigInt(of)
  const isCut = exact * BigInt(of) !== BigInt(count) * 10_000n
  return (Number(isUp && isCut ? exact + 1n : exact) / 100).toFixed(2)
}

test('the costs beside coins not used for choosing are the closest of their source', () => {
  // This case has the longest history: high costs need slower trends.
  const input = required(CASES[2], 'a case')[1]
  for (const [costs, aSide, rows] of [
    [VENUE_COSTS.binance, '0.17', ['0.17', '0.17']],
    [VENUE_COSTS.kraken, '0.47', ['0.47', '0.17']],
    [VENUE_COSTS.coinbase, '1.27', ['0.47', '0.17']],
    [FREE, '0.00', ['0.17', '0.17']],
  ] as const) {
    const { costs: here, holdout } = shown({ ...input, costs })
    expect([here.aSide, holdout.map((row) => row.costs)]).toEqual([aSide, rows])
    for (const [which, { at }] of HOLDOUT.entries())
      expect(at.map(({ levels }) => levels)).toContainEqual(holdout[which]?.levels)
  }
})

/**
 * Each case is a wrong figure of one kind, with the law that must report it: the only one, or one
 * of several.
 */
const shifted = (percent: string, by: number): string => (Number(percent) + by).toFixed(2)
type Figures = ReturnType<typeof readShippedEvidence>
const level = ({ evidence }: Figures) => required(evidence.levels[1], 'moderate')
const guard = ({ guards }: Figures) => required(guards.strategies[1]?.rows[0], 'a guard')
const OFFENDERS: Record<string, (figures: Figures) => unknown> = {
  'worst, lower tenth, median, upper tenth and best are in order': (figures) =>
    (level(figures).lower.percent = shifted(level(figures).median.percent, 1)),
  'no window lost more than the largest drop': (figures) =>
    (level(figures).deepestFall = shifted(String(-Number(level(figures).worst.percent)), -0.01)),
  'no window in monthly parts lost more than the largest drop': (figures) =>
    (level(figures).monthly.worst.percent = shifted(`-${level(figures).deepestFall}`, -0.01)),
  'nobody loses more than everything': (figures) => (level(figures).deepestFall = '100.01'),
  'the worst window lost if some window did': (figures) => (level(figures).worst.percent = '0.00'),
  'the median lost if half of the windows did': (figures) =>
    (level(figures).median.percent = '-0.01'),
  'the lower tenth lost if a tenth of the windows did': (figures) =>
    (level(figures).lower.percent = '0.00'),
  'the share that lost is the number that lost, rounded up': (figures) =>
    (level(figures).losingPercent = shifted(level(figures).losingPercent, -0.01)),
  'every window named is one of the period': (figures) => (level(figures).best.from = '2019-01-01'),
  'monthly parts: the worst is not above the median, and lost if some window did': (figures) =>
    (level(figures).monthly.worst.percent = '0.01'),
  'monthly parts: the share is the number, rounded down': (figures) =>
    (level(figures).monthly.onceHigherPercent = shifted(
      level(figures).monthly.onceHigherPercent,
      0.01,
    )),
  'windows compared with cash are windows, and a share beat it': (figures) =>
    (required(level(figures).beatsCash, 'cash').windows += 1),
  'lost, gained less than the target and reached it are 100 % together': (figures) =>
    (level(figures).reached = figures.evidence.windows),
  'the share that reached the target is the number, rounded down': (figures) =>
    (level(figures).reachedPercent = shifted(level(figures).reachedPercent, 0.01)),
  'the target was reached if the best window reached it': (figures) =>
    (level(figures).best.percent = '24.99'),
  'the median reached it if half of the windows did': (figures) =>
    (level(figures).median.percent = '25.00'),
  'bars of the timeline lie between the worst and the best window': (figures) =>
    (figures.evidence.timeline.moderate[5] = '999.00'),
  'probabilities are shares, and beating holding is no likelier than beating nothing': (figures) =>
    (level(figures).luck.aboveHolding = '99.99'),
  'the band has a lower and an upper end, and nobody loses more than everything': (figures) =>
    (level(figures).luck.band.low = '999.00'),
  'the label is what its figures say': (figures) => (level(figures).luck.isDistinguishable = true),
  'the years of luck are those of the period': (figures) => (level(figures).luck.years = '9.0'),
  'all levels are compared with the same holding and the same cash': (figures) =>
    (level(figures).luck.cash = '0.00'),
  'a bot that holds without a fee is buying and holding; with one it ends no higher': (figures) =>
    (figures.evidence.buyAndHold.median.percent = '1.00'),
  'a pair is in some of the windows, and some pair in each': (figures) =>
    (required(figures.evidence.coverage[0], 'a pair').windows += 1),
  'the costs of a side are its parts': (figures) => (figures.evidence.costs.aSide = '0.17'),
  'a row of coins never used says at which costs': (figures) =>
    (required(figures.evidence.holdout[0], 'a row').costs = '0.00'),
  'a bot without the guard fell within a window no deeper than its largest drop': (figures) =>
    (guard(figures).fallWithout = shifted(level(figures).deepestFall, 0.01)),
  'no window lost more than the largest fall within a window': (figures) =>
    (guard(figures).fallWithout = shifted(String(-Number(level(figures).worst.percent)), -0.01)),
  'better and worse are at most all windows, and only where the guard was reached': (figures) =>
    (guard(figures).reachedPercent = '0.00'),
  'the median points the way that most windows went': (figures) =>
    Object.assign(guard(figures), {
      medianPoints: '0.00',
      worsePercent: '60.00',
      betterPercent: '0.00',
      reachedPercent: '60.00',
    }),
  'falls are shares': (figures) => (guard(figures).fall = '100.01'),
}

test('every law detects figures that break it', () => {
  expect(Object.keys(OFFENDERS)).toEqual(
    [ROW_LAWS, LEVEL_LAWS, PAGE_LAWS, GUARD_LAWS].flatMap((laws) => Object.keys(laws)),
  )
  for (const [law, spoil] of Object.entries(OFFENDERS)) {
    const figures = structuredClone(readShippedEvidence())
    spoil(figures)
    expect(
      brokenLaws(figures.evidence, figures.guards).filter((broken) => broken.endsWith(`: ${law}`)),
      `broken: ${law}`,
    ).not.toEqual([])
  }
})
