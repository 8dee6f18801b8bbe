import { Figure } from './money.tsx'
import { percentText } from './money-format.ts'

/** A neutral percentage, without color or arrow. `<Change>` prints gains and losses. */
export function Percent({
  value,
  sign = 'auto',
}: {
  value: string
  sign?: 'always' | 'never' | 'auto'
}) {
  return <Figure className="whitespace-nowrap">{percentText(value, { sign })}</Figure>
}
