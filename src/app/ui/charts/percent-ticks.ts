import { unitsToDecimal } from '#core/money/decimal.ts'
import { heightOf, type Scale } from './curve.ts'
import { roundValues, type ValueTick } from './ticks.ts'
import { percentText } from '#app/ui/money/money.tsx'

/** Two or three round values of a scale of percents. Zero has no sign. */
export function percentTicks(scale: Scale): ValueTick[] {
  return roundValues(scale).map((value) => ({
    y: heightOf(value, scale),
    text: percentText(unitsToDecimal(value, 2), { sign: value === 0n ? 'never' : 'always' }),
  }))
}
