import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '#core/market/candle.ts'
import { countBefore, priceAt, type CandleSeries } from '#core/market/candle-series.ts'
import { simulatedCandles } from '#core/market/simulated-market.ts'
import type { Pair } from '#core/market/pair.ts'
import { decimalToUnits as units } from '#core/money/decimal.ts'
import { earn, EMPTY_POOL, found, leave, trade, worthOf, type Pool } from '#core/pool/pool.ts'
import { planPool } from '#core/pool/plan.ts'
import { backtest } from '#core/strategy/backtest.ts'
import { exposureChanges } from '#core/strategy/exposure-changes.ts'
import { allowedDriftBps } from '#core/strategy/strategy.ts'
import type { StrategyKey } from '#core/strategy/strategy-key.ts'
import { VENUE_COSTS, type TradingCosts } from '#core/trading/costs.ts'
import { interestOf, midnightsBetween } from '#core/trading/cash-yield.ts'
import { appliedAfterClose } from '#core/trading/drift.ts'
import { cashMoved, type Fill } from '#core/trading/fill.ts'
import { paperFill } from '#core/trading/paper-fill.ts'
import { standingOf } from './follow-pool.ts'
import type { RecordedChange } from './pool-life.ts'
import { GAP_PARTS, type Standing } from './standing.ts'
import { beginRecord, extendRecord, type RecordMarket, type TrackRecord } from './track-record.ts'

const FROM_MS = Date.UTC(2024, 0, 1)
const WARM_UP_MS = 100 * DAY_MS
const DAYS = 120
const TO_MS = FROM_MS + DAYS * DAY_MS
const hour = (count: number) => FROM_MS + count * HOUR_MS

const marketOf = (pair: Pair) => ({
  pair,
  series: simulatedCandles({
    seed: 3,
    pair,
    fromMs: FROM_MS - WARM_UP_MS,
    count: (WARM_UP_MS + TO_MS - FROM_MS) / HOUR_MS,
  }),
})
const BTC = marketOf('BTC/USDT')
const ETH = marketOf('ETH/USDT')
const POOLS = [
  { id: 1, strategy: 'trend-aggressive', pair: BTC.pair },
  { id: 2, strategy: 'trend-aggressive', pair: ETH.pair },
]

/**
 * Executes an order planned at `price`, `hours` after the founding; undefined if it is not
 * executed.
 */
type Execution = (
  order: { side: 'buy' | 'sell'; quantity: bigint; price: bigint },
  hours: number,
) => Fill | undefined
const paper: Execution = (order) => paperFill({ ...order, costs: VENUE_COSTS.binance })

type Lived = { changes: RecordedChange[]; pool: Pool; worthAt: (timeMs: number) => number }

/** `costs`: used to size orders. */
type LifeWanted = {
  series: CandleSeries
  fromMs: number
  toMs?: number
  execute?: Execution
  costs?: TradingCosts
  latenessMs?: number
  strategy?: StrategyKey
  rateBps?: number
}

/**
 * A pool from founding to its last member's leaving; its strategy trades with the fills of
 * `execute`.
 */
function lifeOf({
  series,
  fromMs,
  toMs = TO_MS,
  execute = paper,
  costs = VENUE_COSTS.binance,
  latenessMs = 0,
  strategy = 'trend-aggressive',
  rateBps = 0,
}: LifeWanted): Lived {
  let pool = found(units('250'))
  const changes: RecordedChange[] = []
  const marks: { timeMs: number; pool: Pool }[] = []
  const note = (timeMs: number, order: Partial<RecordedChange> = {}) => {
    const { cash, base, units: all } = pool
    changes.push({
      number: BigInt(changes.length + 1),
      timeMs,
      side: null,
      quantity: 0n,
      total: 0n,
      fee: 0n,
      price: 0n,
      ...order,
      cash,
      base,
      units: all,
    })
    marks.push({ timeMs, pool })
  }
  note(fromMs)
  const driftBps = allowedDriftBps(strategy)
  const wanted = exposureChanges({
    strategy,
    costs,
    series,
    fromCount: countBefore(series, fromMs),
    toCount: countBefore(series, toMs),
  })
  for (
    let index = countBefore(series, fromMs), next = 0;
    index < countBefore(series, toMs);
    index += 1
  ) {
    while ((wanted[next + 1]?.closedCount ?? Number.POSITIVE_INFINITY) <= index) next += 1
    const timeMs = (series.openTimesMs[index] ?? 0) + latenessMs
    const interest =
      timeMs % DAY_MS === latenessMs && timeMs - latenessMs > fromMs
        ? interestOf(pool.cash, rateBps)
        : 0n
    if (interest > 0n) {
      pool = earn(pool, interest)
      note(timeMs - latenessMs, { interest })
    }
    const price =
      latenessMs > 0
        ? (priceAt(series.open, index) + priceAt(series.close, index)) / 2n
        : priceAt(series.open, index)
    const exposureBps = wanted[next]?.exposureBps ?? 0
    const order = planPool(pool, { exposureBps, price, costs })
    const fill = order && execute({ ...order, price }, (timeMs - fromMs) / HOUR_MS)
    if (fill && fill.quantity > 0n) {
      const share = { quantity: fill.quantity, total: cashMoved(fill), fee: fill.fee }
      pool = trade(pool, {
        side: fill.side,
        share,
        exposureBps: fill.quantity === order.quantity ? exposureBps : undefined,
      })
      note(timeMs, { side: fill.side, ...share, price })
    }
    if (driftBps !== undefined)
      pool = {
        ...pool,
        appliedBps: appliedAfterClose(pool, {
          exposureBps,
          driftBps,
          close: priceAt(series.close, index),
        }),
      }
  }
  if (toMs < TO_MS) {
    pool = leave(pool, pool.units).pool
    note(toMs)
  }
  return {
    changes,
    pool,
    worthAt: (timeMs) =>
      worthAfter(
        marks.findLast((mark) => mark.timeMs < timeMs)?.pool ?? EMPTY_POOL,
        series,
        timeMs,
      ),
  }
}

function worthAfter(pool: Pool, series: CandleSeries, timeMs: number): number {
  return Number(
    worthOf(pool, {
      units: pool.units,
      price: priceAt(series.close, countBefore(series, timeMs) - 1),
    }),
  )
}

type Followed = {
  changes: ReadonlyMap<number, readonly RecordedChange[]>
  costs?: TradingCosts
  steps?: readonly number[]
  strategy?: StrategyKey
  markets?: RecordMarket[]
  rateBps?: number
}

function recordOf({
  changes,
  costs = VENUE_COSTS.binance,
  steps = [TO_MS],
  strategy = 'trend-aggressive',
  markets = [BTC, ETH],
  rateBps = 0,
}: Followed): TrackRecord {
  return steps.reduce(
    (record, untilMs) => {
      const between = [...changes].map(
        ([id, all]) =>
          [id, all.filter(({ timeMs }) => timeMs >= record.untilMs && timeMs < untilMs)] as const,
      )
      const yields =
        rateBps === 0
          ? []
          : midnightsBetween({ fromMs: record.untilMs - 1, toMs: untilMs - 1 }).map(
              (midnightMs) => ({ midnightMs, rateBps }),
            )
      return extendRecord({ record, markets, changes: new Map(between), yields, costs, untilMs })
    },
    beginRecord({ fromMs: FROM_MS, pools: POOLS.map((pool) => ({ ...pool, strategy })) }),
  )
}

function btcOf(record: TrackRecord): Standing {
  const [pool] = record.pools
  if (!pool) throw new Error('no pool')
  return standingOf(pool.followed)
}

const sumOf = ({ gap }: Standing) => GAP_PARTS.reduce((sum, name) => sum + gap[name], 0)
const bps = (fraction: number) => fraction * 10_000
const largestPart = (gap: Standing['gap']) =>
  Math.max(...GAP_PARTS.map((name) => Math.abs(bps(gap[name]))))

describe('a pool at a paper venue', () => {
  const life = lifeOf({ series: BTC.series, fromMs: FROM_MS })
  const changes = new Map([[1, life.changes]])
  const record = recordOf({ changes })

  test('returns as much as its only bot: the value per unit follows from the journal', () => {
    expect(life.changes.length).toBeGreaterThan(5)
    expect(btcOf(record).real).toBeCloseTo(life.worthAt(TO_MS) / Number(units('250')), 8)
  })

  test('returns as much as the backtest of the same period', () => {
    const { backtest: replayed, gap } = btcOf(record)
    const whole = backtest({
      strategy: 'trend-aggressive',
      markets: [BTC],
      invested: units('10000'),
      fromMs: FROM_MS,
      toMs: TO_MS,
      costs: VENUE_COSTS.binance,
      feeBps: 0,
    })
    expect(replayed).toBeCloseTo(Number(whole.equity) / Number(units('10000')), 10)
    expect(largestPart(gap)).toBeLessThan(0.01)
  })

  test("the record has the worth of the pool's bot at any hour", () => {
    for (let at = 1_000; at <= 1_500; at += 23) {
      const standing = btcOf(recordOf({ changes, steps: [hour(at)], markets: [BTC] }))
      expect(standing.real).toBeCloseTo(life.worthAt(hour(at)) / Number(units('250')), 8)
    }
  })
})

describe.each<[StrategyKey, number]>([
  ['hold', 2],
  ['balanced-moderate', 6],
])('a %s pool at a paper venue', (strategy, leastChanges) => {
  // Volatile enough to leave a band often.
  const market = { pair: BTC.pair, series: marketOf('SOL/USDT').series }
  const followed = { strategy, markets: [market, ETH] }
  const first = lifeOf({ series: market.series, fromMs: FROM_MS, toMs: hour(1_300), strategy })
  const second = lifeOf({ series: market.series, fromMs: hour(1_900), strategy })
  const changes = new Map([[1, [...first.changes, ...second.changes]]])

  test('returns as much as its backtest in each life, and trades drift back', () => {
    const standing = btcOf(recordOf({ changes, ...followed }))
    expect(first.changes.length + second.changes.length).toBeGreaterThan(leastChanges)
    expect(standing.real).toBeCloseTo(
      (first.worthAt(hour(1_300)) * second.worthAt(TO_MS)) / Number(units('250')) ** 2,
      8,
    )
    const lives = [
      [FROM_MS, hour(1_300)],
      [hour(1_900), TO_MS],
    ] as const
    const replayed = lives.map(
      ([fromMs, toMs]) =>
        Number(
          backtest({
            strategy,
            markets: [market],
            invested: units('10000'),
            fromMs,
            toMs,
            costs: VENUE_COSTS.binance,
            feeBps: 0,
          }).equity,
        ) / Number(units('10000')),
    )
    expect(standing.backtest).toBeCloseTo((replayed[0] ?? 0) * (replayed[1] ?? 0), 10)
    expect(largestPart(standing.gap)).toBeLessThan(0.01)
  })

  test('the record is the same in many steps as in one', () => {
    const steps = Array.from(
      { length: 97 },
      (_, step) => FROM_MS + Math.floor(((step + 1) * (TO_MS - FROM_MS)) / 97 / HOUR_MS) * HOUR_MS,
    )
    expect(recordOf({ changes, ...followed, steps: [...steps, TO_MS] })).toEqual(
      recordOf({ changes, ...followed }),
    )
  })
})

describe.each<StrategyKey>(['trend-aggressive', 'balanced-moderate'])(
  'a %s pool whose idle cash earns',
  (strategy) => {
    const rateBps = 437
    const life = lifeOf({ series: BTC.series, fromMs: hour(30), strategy, rateBps })
    const followed = { changes: new Map([[1, life.changes]]), strategy, rateBps }

    test('returns as much as its bot and its backtest, interest included', () => {
      const standing = btcOf(recordOf(followed))
      expect(life.changes.filter(({ interest }) => interest !== undefined).length).toBeGreaterThan(
        100,
      )
      expect(standing.real).toBeCloseTo(life.worthAt(TO_MS) / Number(units('250')), 8)
      const replayed = backtest({
        strategy,
        markets: [BTC],
        invested: units('10000'),
        fromMs: hour(30),
        toMs: TO_MS - HOUR_MS,
        costs: VENUE_COSTS.binance,
        feeBps: 0,
        yieldBps: rateBps,
      })
      expect(btcOf(recordOf({ ...followed, steps: [TO_MS - HOUR_MS] })).backtest).toBeCloseTo(
        Number(replayed.equity) / Number(units('10000')),
        10,
      )
      expect(largestPart(standing.gap)).toBeLessThan(0.01)
    })

    test('the record is the same in many steps as in one', () => {
      const steps = Array.from(
        { length: 97 },
        (_, step) =>
          FROM_MS + Math.floor(((step + 1) * (TO_MS - FROM_MS)) / 97 / HOUR_MS) * HOUR_MS,
      )
      expect(recordOf({ ...followed, steps: [...steps, TO_MS] })).toEqual(recordOf(followed))
    })

    test('the record has interest that the backtest did not assume as a part of the gap', () => {
      const { gap, real, backtest: assumed } = btcOf(recordOf({ ...followed, rateBps: 0 }))
      expect(bps(gap.interest)).toBeGreaterThan(20)
      expect(sumOf(btcOf(recordOf({ ...followed, rateBps: 0 })))).toBeCloseTo(real - assumed, 10)
    })
  },
)

/** A venue that charges more than the backtest assumes, and orders sized for it. */
function worse(extra: Partial<TradingCosts>): Pick<LifeWanted, 'execute' | 'costs'> {
  const costs = { ...VENUE_COSTS.binance, ...extra }
  return { costs, execute: (order) => paperFill({ ...order, costs }) }
}

const DEAREST: TradingCosts = { feeBps: 60, halfSpreadBps: 2, slippageBps: 80 }

describe('the gap to the backtest', () => {
  const gapOfLife = (life: Lived) => btcOf(recordOf({ changes: new Map([[1, life.changes]]) }))
  const series = BTC.series

  test('consists of fees if the venue charges more than assumed', () => {
    const standing = gapOfLife(lifeOf({ series, fromMs: FROM_MS, ...worse({ feeBps: 40 }) }))
    expect(bps(standing.gap.fee)).toBeLessThan(-30)
    expect(Math.abs(bps(standing.gap.spread)) + Math.abs(bps(standing.gap.delay))).toBeLessThan(1)
    expect(sumOf(standing)).toBeCloseTo(standing.real - standing.backtest, 12)
  })

  test('the gap is the spread if orders fill at worse prices than assumed', () => {
    const standing = gapOfLife(lifeOf({ series, fromMs: FROM_MS, ...worse({ slippageBps: 35 }) }))
    expect(bps(standing.gap.spread)).toBeLessThan(-30)
    expect(Math.abs(standing.gap.fee) + Math.abs(standing.gap.delay)).toBeLessThan(
      Math.abs(standing.gap.spread) / 20,
    )
  })

  test('the gap is the delay if the market moved between the open and the fill', () => {
    const { gap } = gapOfLife(lifeOf({ series, fromMs: FROM_MS, latenessMs: 600_000 }))
    expect(Math.abs(bps(gap.delay))).toBeGreaterThan(5)
    expect(Math.abs(bps(gap.fee)) + Math.abs(bps(gap.spread))).toBeLessThan(
      Math.abs(bps(gap.delay)),
    )
  })

  test('the gap is missed trades if orders are not filled for some weeks', () => {
    const halted: Execution = (order, hours) =>
      hours > 300 && hours < 900 ? undefined : paper(order, hours)
    const standing = gapOfLife(lifeOf({ series, fromMs: FROM_MS, execute: halted }))
    expect(Math.abs(bps(standing.gap.missed))).toBeGreaterThan(5)
    expect(bps(standing.gap.delay)).toBe(0)
    expect(sumOf(standing)).toBeCloseTo(standing.real - standing.backtest, 12)
  })

  test('the gap is almost fully explained, for any fills, times and prices', () => {
    const fills = fc.array(
      fc.record({
        part: fc.integer({ min: 0, max: 4 }),
        feeBps: fc.integer({ min: 0, max: 60 }),
        slippageBps: fc.integer({ min: -20, max: 80 }),
      }),
      { minLength: 4, maxLength: 12 },
    )
    fc.assert(
      fc.property(fills, fc.integer({ min: 0, max: 3_599_999 }), (kinds, latenessMs) => {
        let orders = 0
        const execute: Execution = ({ quantity, ...order }) => {
          const { part = 4, ...costs } = kinds[(orders += 1) % kinds.length] ?? {}
          return paperFill({
            ...order,
            quantity: (quantity * BigInt(part)) / 4n,
            costs: { ...VENUE_COSTS.binance, ...costs },
          })
        }
        const standing = gapOfLife(
          lifeOf({ series, fromMs: FROM_MS, execute, costs: DEAREST, latenessMs }),
        )
        expect(sumOf(standing)).toBeCloseTo(standing.real - standing.backtest, 12)
        expect(Math.abs(bps(standing.gap.rounding))).toBeLessThan(0.01)
      }),
      { numRuns: 30 },
    )
  })
})

describe('a pool that everybody leaves and that is founded again', () => {
  const first = lifeOf({ series: BTC.series, fromMs: hour(240), toMs: hour(1_300) })
  const second = lifeOf({ series: BTC.series, fromMs: hour(1_900) })
  const changes = new Map([[1, [...first.changes, ...second.changes]]])

  test('links the returns of its lives, and has no return while it is empty', () => {
    const record = recordOf({ changes })
    const worthBefore = first.worthAt(hour(1_300)) / Number(units('250'))
    expect(btcOf(recordOf({ changes, steps: [hour(240)] })).real).toBe(1)
    expect(btcOf(recordOf({ changes, steps: [hour(1_500)] })).real).toBeCloseTo(worthBefore, 8)
    expect(btcOf(record).real).toBeCloseTo(
      (worthBefore * second.worthAt(TO_MS)) / Number(units('250')),
      8,
    )
    expect(largestPart(btcOf(record).gap)).toBeLessThan(0.01)
  })

  test('ends before its strategy trades, if the last member leaves at that very hour', () => {
    const { series } = BTC
    const { closedCount = 0 } =
      exposureChanges({
        strategy: 'trend-aggressive',
        costs: VENUE_COSTS.binance,
        series,
        fromCount: countBefore(series, hour(300)),
        toCount: series.length,
      })[1] ?? {}
    const { changes: of } = lifeOf({
      series,
      fromMs: hour(240),
      toMs: series.openTimesMs[closedCount] ?? 0,
    })
    expect(largestPart(btcOf(recordOf({ changes: new Map([[1, of]]) })).gap)).toBeLessThan(0.01)
  })

  test('the pool alone gives the mean of its strategy if no other pool has money', () => {
    const record = recordOf({ changes })
    expect(record.strategies.map(({ strategy, now }) => [strategy, now.real])).toEqual([
      ['trend-aggressive', expect.closeTo(btcOf(record).real, 10)],
    ])
  })
})

describe('the record of a strategy', () => {
  const btc = lifeOf({ series: BTC.series, fromMs: FROM_MS, ...worse({ feeBps: 40 }) })
  const eth = lifeOf({ series: ETH.series, fromMs: hour(1_201) })
  const changes = new Map([
    [1, btc.changes],
    [2, eth.changes],
  ])
  const record = recordOf({ changes })

  test('the record is unchanged by a pool that is founded later, up to that day', () => {
    const alone = recordOf({ changes: new Map([[1, btc.changes]]) })
    const until = (of: TrackRecord) =>
      of.strategies[0]?.days.filter(({ timeMs }) => timeMs <= hour(1_200))
    expect(until(record)?.length).toBeGreaterThan(40)
    expect(until(record)).toEqual(until(alone))
    expect(record.strategies[0]?.now.real).not.toBeCloseTo(alone.strategies[0]?.now.real ?? 0, 4)
  })

  test('the record has parts that add up to its gap', () => {
    const now = record.strategies[0]?.now
    if (!now) throw new Error('no strategy')
    expect(bps(now.real - now.backtest)).toBeLessThan(-10)
    expect(sumOf(now)).toBeCloseTo(now.real - now.backtest, 12)
  })

  test('the record is the same whether it was extended in one step or in many', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 1, max: DAYS * 24 - 1 }), { maxLength: 6 }),
        (cuts) => {
          const steps = [...cuts.toSorted((a, b) => a - b).map(hour), TO_MS]
          expect(recordOf({ changes, steps })).toEqual(record)
        },
      ),
      { numRuns: 20 },
    )
  })
})

test('without money the record is flat from the day the book began', () => {
  const record = recordOf({ changes: new Map() })
  expect(record.strategies[0]).toMatchObject({ now: { real: 1, backtest: 1 } })
  expect(
    record.strategies[0]?.days.every(
      ({ real, backtest: replayed }) => real === 1 && replayed === 1,
    ),
  ).toBe(true)
  expect(record.pools.every(({ followed: { foundedMs } }) => foundedMs === undefined)).toBe(true)
})

test.each([
  ['first', [ETH]],
  ['last', [BTC]],
])(
  "if the market lacks the candles of the %s pair, the others' record is unchanged",
  (_which, markets) => {
    const [market] = markets
    const life = lifeOf({ series: market?.series ?? BTC.series, fromMs: FROM_MS })
    const record = recordOf({
      changes: new Map([[market === BTC ? 1 : 2, life.changes]]),
      markets,
      steps: [FROM_MS + 40 * DAY_MS, TO_MS],
    })
    expect(record.strategies[0]?.now.real).toBeCloseTo(
      life.worthAt(TO_MS) / Number(units('250')),
      8,
    )
  },
)
