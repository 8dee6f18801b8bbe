import { utcMinuteText } from '#core/utc-text.ts'
import { DAY_MS, HOUR_MS, type Candle } from './candle.ts'

/**
 * `index`: of the candle in the judged list. `fault`: a predicate, such as 'is in the future', for
 * the caller to complete.
 */
type BadCandle = { index: number; fault: string }

/** Indicators hold prices as numbers, exact below 2⁵³ units, 90 million of quote. */
const TOO_HIGH = 2n ** 53n

/** The day on which the first Bitcoin exchange opened. */
const FIRST_MARKET_MS = Date.UTC(2010, 6, 17)

/** Prices that differ from their neighbors by this factor and then return are recording errors. */
const OUTLIER = 20n

/** Candles within which an outlier must return to the price before it. */
const RETURNS_WITHIN = 24

/**
 * Bad candles of files, downloads or live feeds, in order; each is compared with its good
 * neighbors. A candle that closes after `untilMs` is in the future.
 */
export function judgeCandles(
  candles: readonly Candle[],
  { untilMs }: { untilMs: number },
): BadCandle[] {
  const bad: BadCandle[] = []
  let previous: Candle | undefined
  for (const [index, candle] of candles.entries()) {
    const fault =
      faultOf(candle, untilMs) ??
      (previous ? orderFault(candle, previous) : undefined) ??
      outlierFault(candles, { index, previous })
    if (fault === undefined) previous = candle
    else bad.push({ index, fault })
  }
  return bad
}

/** This many equal gaps in a row show that the candles are not hourly. */
const LONGEST_RUN = 10

/**
 * The interval of ordered candles that are not hourly, such as 'candles of 1 day'; undefined if
 * they are, with holes or without.
 */
export function intervalFault(candles: readonly Candle[]): string | undefined {
  if (candles.length === 1) return 'one candle, which may be of any length'
  const counts = new Map<number, number>()
  let run = { gapMs: 0, length: 0 }
  for (const [at, { openTimeMs }] of candles.entries()) {
    const gapMs = openTimeMs - (candles[at - 1]?.openTimeMs ?? openTimeMs)
    if (gapMs <= 0) continue
    counts.set(gapMs, (counts.get(gapMs) ?? 0) + 1)
    run = { gapMs, length: run.gapMs === gapMs ? run.length + 1 : 1 }
    if (run.length === LONGEST_RUN && gapMs > HOUR_MS) break
  }
  const [usual = HOUR_MS] = [...counts].toSorted((a, b) => b[1] - a[1] || a[0] - b[0])[0] ?? []
  if (usual !== HOUR_MS) return `candles of ${lengthText(usual)}`
  const isMixed = run.gapMs > HOUR_MS && run.length === LONGEST_RUN
  return isMixed ? `candles of ${lengthText(run.gapMs)} beside hourly ones` : undefined
}

function lengthText(lengthMs: number): string {
  const minuteMs = HOUR_MS / 60
  const [unitMs, unit] =
    lengthMs % DAY_MS === 0
      ? [DAY_MS, 'day']
      : lengthMs % HOUR_MS === 0
        ? [HOUR_MS, 'hour']
        : lengthMs % minuteMs === 0
          ? [minuteMs, 'minute']
          : [1_000, 'second']
  const count = lengthMs / unitMs
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

function faultOf(
  { openTimeMs, open, high, low, close }: Candle,
  untilMs: number,
): string | undefined {
  if (!Number.isInteger(openTimeMs / HOUR_MS)) return 'does not open at a whole hour'
  if (openTimeMs < FIRST_MARKET_MS)
    return `is of ${hourText(openTimeMs)}, before any coin was traded`
  if (openTimeMs + HOUR_MS > untilMs)
    return `is of ${hourText(openTimeMs)}, an hour that is not over yet`
  if (low <= 0n || open <= 0n || high <= 0n || close <= 0n)
    return 'has a price that is not above zero'
  if (high >= TOO_HIGH || open >= TOO_HIGH || close >= TOO_HIGH)
    return 'has a price above 90 million, which is more than can be computed exactly'
  if (high < low) return 'has a high below its low'
  if (open > high || open < low) return 'opens outside its high and low'
  if (close > high || close < low) return 'closes outside its high and low'
  return undefined
}

function orderFault({ openTimeMs }: Candle, previous: Candle): string | undefined {
  if (openTimeMs === previous.openTimeMs) return `repeats the hour ${hourText(openTimeMs)}`
  return openTimeMs < previous.openTimeMs
    ? `is of ${hourText(openTimeMs)}, earlier than the candle before it`
    : undefined
}

/**
 * Prices stay at the new level after a real crash, and return after an outlier. The newest candle
 * counts as an outlier until others follow. The first candle counts as one if both following
 * candles disagree with it.
 */
function outlierFault(
  candles: readonly Candle[],
  { index, previous }: { index: number; previous: Candle | undefined },
): string | undefined {
  const candle = candles[index]
  const near = previous ?? candles[index + 1]
  if (candle === undefined || near === undefined || !isFar(candle, near)) return undefined
  const following = candles.slice(index + 1, index + 1 + RETURNS_WITHIN)
  const isOutlier = previous
    ? following.length === 0 || following.some((one) => !isFar(one, previous))
    : following.slice(1, 2).some((one) => isFar(candle, one))
  return isOutlier ? `has prices ${OUTLIER} times those of the candles around it` : undefined
}

function isFar({ high, low }: Candle, { close }: Candle): boolean {
  return high >= close * OUTLIER || low * OUTLIER <= close
}

/** '2024-05-31 14:00', or the bare number if it is no date. */
export function hourText(timeMs: number): string {
  return Math.abs(timeMs) < 8.64e15 ? utcMinuteText(new Date(timeMs)) : String(timeMs)
}
