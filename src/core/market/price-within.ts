import { assert } from '#core/assert.ts'
import type { Units } from '#core/money/amount.ts'
import type { Candle } from './candle.ts'

/** Turning points of the path through a candle, in thousandths of its hour. */
const FIRST_TURN = 333
const SECOND_TURN = 667
const END = 1_000

/**
 * The price at `thousandths` (0 to 1,000) of a candle's hour in a simulated or replayed market. The
 * path starts at the open and ends at the close; a rising candle touches its low first, a falling
 * one its high.
 */
export function priceWithin({
  candle,
  thousandths,
}: {
  candle: Candle
  thousandths: number
}): Units {
  assert(
    Number.isInteger(thousandths) && thousandths >= 0 && thousandths <= END,
    'thousandths must be 0 to 1,000',
  )
  const { open, high, low, close } = candle
  const [first, second] = close >= open ? [low, high] : [high, low]
  if (thousandths <= FIRST_TURN)
    return between({ start: open, end: first, from: 0, to: FIRST_TURN, thousandths })
  if (thousandths <= SECOND_TURN)
    return between({ start: first, end: second, from: FIRST_TURN, to: SECOND_TURN, thousandths })
  return between({ start: second, end: close, from: SECOND_TURN, to: END, thousandths })
}

function between({
  start,
  end,
  from,
  to,
  thousandths,
}: {
  start: Units
  end: Units
  from: number
  to: number
  thousandths: number
}): Units {
  return start + ((end - start) * BigInt(thousandths - from)) / BigInt(to - from)
}
