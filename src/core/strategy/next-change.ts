import { BPS_PER_PERCENT } from '#core/money/percent.ts'
import { ONE, type Units } from '#core/money/amount.ts'
import { unitsToDecimal } from '#core/money/decimal.ts'
import type { DriftPrices } from '#core/trading/drift.ts'
import { CANDLES_A_DAY } from './preset.ts'
import { exposureAt, levelOf, type TrendStrategyState } from './trend.ts'

/** `level`: a signal in whole units, see `CandleSeries`. */
export type NextChange = { level: number; exposureBps: number }

/** `level`: the high above which the trend begins, or the stop below which it ends. */
export type Lamp = { lookback: number; isUp: boolean; level: number | undefined }

/**
 * The changes that the next candle may bring. `exposureBps`: the decision if the close does not
 * move. `above`, `below`: the nearest closes with another decision; undefined if none lies between
 * half and twice the last close, or if the exposure changes even at an unmoved price.
 */
export type Outlook = {
  lamps: Lamp[]
  exposureBps: number
  above?: NextChange
  below?: NextChange
}

export function outlookOf(state: TrendStrategyState): Outlook {
  const { trends, exposureBps: current } = state
  const close = trends.volatility.previousClose
  const lamps = trends.settings.lookbacks.map((lookback, which) => ({
    lookback,
    isUp: trends.up[which] === 1,
    level: levelOf(trends, which),
  }))
  const exposureBps = exposureAt(state, close)
  if (close === 0 || exposureBps !== current) return { lamps, exposureBps }
  const turns = lamps.flatMap(firstCloseAbove).toSorted((a, b) => a - b)
  const rises = turns.flatMap((turn) => [turn - 1, turn])
  const [highest, lowest] = [2 * close, Math.ceil(close / 2)]
  const above = firstChange(state, [
    close,
    ...rises.filter((each) => each > close && each < highest),
    highest,
  ])
  const below = firstChange(state, [
    close,
    ...rises.toReversed().filter((each) => each < close && each > lowest),
    lowest,
  ])
  return { lamps, exposureBps, ...(above && { above }), ...(below && { below }) }
}

/** The lowest close after which the trend is up. */
function firstCloseAbove({ isUp, level }: Lamp): number[] {
  if (level === undefined) return []
  return [isUp ? Math.ceil(level) : Math.floor(level) + 1]
}

/**
 * The first close that changes the exposure, searched from the last close through `stations`. No
 * trend turns between two stations; there a larger move means more volatility and never a higher
 * target, so bisection finds the first change.
 */
function firstChange(
  state: TrendStrategyState,
  stations: readonly number[],
): NextChange | undefined {
  const changes = (close: number) => exposureAt(state, close) !== state.exposureBps
  let near = stations[0] ?? 0
  for (const station of stations) {
    if (!changes(station)) {
      near = station
      continue
    }
    const level = bisect(changes, near, station)
    return { level, exposureBps: exposureAt(state, level) }
  }
  return undefined
}

/**
 * The whole number nearest to `near` at which `holds` is true. Callers must ensure that `holds` is
 * true at `far` and false at `near`.
 */
function bisect(holds: (close: number) => boolean, near: number, far: number): number {
  while (Math.abs(far - near) > 1) {
    const middle = Math.trunc((near + far) / 2)
    if (holds(middle)) far = middle
    else near = middle
  }
  return far
}

/** `price`: a decimal that the next close must pass. `percent`: invested afterwards. */
export type NextMove = { price: string; percent: number }

/**
 * The outlook as screens show it. `percent`: invested after the next close if the price stays.
 * `trends`: shortest first; empty for hold and balanced bots.
 */
export type NextStep = {
  trends: { days: number; isUp: boolean }[]
  percent: number
  above: NextMove | null
  below: NextMove | null
}

export function stepOfTrends({ lamps, exposureBps, above, below }: Outlook): NextStep {
  return {
    trends: lamps.map(({ lookback, isUp }) => ({ days: lookback / CANDLES_A_DAY, isUp })),
    percent: exposureBps / BPS_PER_PERCENT,
    above: above ? moveTo(roundUp(BigInt(above.level) - 1n), above.exposureBps) : null,
    below: below ? moveTo(roundDown(BigInt(below.level) + 1n), below.exposureBps) : null,
  }
}

/** `prices`: those at which coins leave their band; undefined without coins. */
export function stepOfBalance(exposureBps: number, prices: DriftPrices | undefined): NextStep {
  return {
    trends: [],
    percent: exposureBps / BPS_PER_PERCENT,
    above: prices ? moveTo(roundUp(prices.above - 1n), exposureBps) : null,
    below: prices ? moveTo(roundDown(prices.below + 1n), exposureBps) : null,
  }
}

const moveTo = (price: string, exposureBps: number): NextMove => ({
  price,
  percent: exposureBps / BPS_PER_PERCENT,
})

/** Rounds up to the digits that a screen shows: a close above the shown price is above `price`. */
function roundUp(price: Units): string {
  const step = stepOf(price)
  return decimal(((price + step - 1n) / step) * step)
}

const roundDown = (price: Units): string => decimal((price / stepOf(price)) * stepOf(price))

const stepOf = (price: Units): bigint => 10n ** BigInt(8 - placesOf(price))

const decimal = (price: Units): string => unitsToDecimal(price, placesOf(price))

/** No decimals from $1,000 on. */
function placesOf(price: Units): number {
  if (price >= 1_000n * ONE) return 0
  if (price >= ONE) return 2
  return price >= ONE / 100n ? 4 : 6
}
