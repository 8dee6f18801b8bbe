import { moneyText } from '#words/figures.ts'
import { heightOf, type ChartTime, type Scale } from './curve.ts'

/** One cent. */
const LEAST_STEP = 1_000_000n
const DOLLAR = 100n * LEAST_STEP

/** A round value on the scale: its height from the top (0 to 1) and its text. */
export type ValueTick = { y: number; text: string }

export function valueTicks(
  scale: Scale,
  { signed = false }: { signed?: boolean } = {},
): ValueTick[] {
  const values = roundValues(scale)
  const precision = values.every((value) => value % DOLLAR === 0n) ? 'whole' : 'cents'
  const sign = (value: bigint) => (signed && value !== 0n ? 'always' : 'auto')
  return values.map((value) => ({
    y: heightOf(value, scale),
    text: moneyText({ amount: value, precision, sign: sign(value) }),
  }))
}

/**
 * Round values on the scale: multiples of 1, 2 or 5 times a power of ten. The step is the largest
 * that has at least two multiples in the range.
 */
export function roundValues({ lowest, range }: Scale): bigint[] {
  for (let power = 10n ** BigInt(range.toString().length); power >= LEAST_STEP; power /= 10n) {
    for (const step of [power, power / 2n, power / 5n]) {
      const values = multiplesOf(step, { lowest, range })
      if (values.length >= 2)
        return values.length > 3 ? values.filter((_, index) => index % 2 === 1) : values
    }
  }
  return []
}

function multiplesOf(step: bigint, { lowest, range }: Pick<Scale, 'lowest' | 'range'>): bigint[] {
  if (step < LEAST_STEP) return []
  const floored = lowest >= 0n ? lowest : lowest - step + 1n
  const first = (floored / step) * step
  const from = first < lowest ? first + step : first
  const values: bigint[] = []
  for (let value = from; value <= lowest + range && values.length < 8; value += step)
    values.push(value)
  return values
}

/**
 * The texts of the start, the middle and the end of a chart; the middle only if its text differs.
 */
export function timeTicks(
  { startMs, spanMs }: Scale,
  { tickText }: Pick<ChartTime, 'tickText'>,
): { start: string; middle: string | undefined; end: string } {
  const textAt = (share: number) =>
    tickText(new Date(startMs + spanMs * share).toISOString(), spanMs)
  const [start, middle, end] = [textAt(0), textAt(0.5), textAt(1)]
  return { start, middle: middle === start || middle === end ? undefined : middle, end }
}
