import { percentText } from './money-format.ts'

/** A percentage without judgement: no colour, no arrow. Gains and losses are printed by `<Change>`. */
export function Percent({ value, sign = 'auto' }: { value: string; sign?: 'always' | 'never' | 'auto' }) {
  return <span className="whitespace-nowrap">{percentText(value, { sign })}</span>
}
