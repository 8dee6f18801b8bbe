import { useId } from 'react'
import { baseOf, PAIRS, type Pair } from '#core/market/pair.ts'
import { usePrices } from '#app/api/queries.ts'
import { CheckboxChip } from '#app/ui/forms/checkbox-chip.tsx'
import { pairText } from '#app/market/pair-text.ts'

type Props = { value: readonly Pair[]; error: string | undefined; onChange: (pairs: readonly Pair[]) => void }

/** A pair without a price cannot be chosen. While no prices are known, all can: the server checks them. */
export function PairChips({ value, error, onChange }: Props) {
  const id = useId()
  const prices = usePrices().data
  const hasMarket = (pair: Pair) => prices === undefined || baseOf(pair) in prices
  const toggle = (pair: Pair) => onChange(value.includes(pair) ? value.filter((other) => other !== pair) : [...value, pair])
  return (
    <fieldset className="min-w-0" aria-describedby={error ? id : undefined}>
      <legend className="mb-1.5 text-14 font-medium">Trading pairs</legend>
      <div className="grid grid-cols-[repeat(auto-fill,minmax(8.25rem,1fr))] gap-2">
        {PAIRS.map((pair) => (
          <CheckboxChip
            key={pair}
            name="tradingPairs"
            value={pair}
            checked={value.includes(pair)}
            disabled={!hasMarket(pair) && !value.includes(pair)}
            onToggle={() => toggle(pair)}
            text={pairText(pair)}
          />
        ))}
      </div>
      {!PAIRS.every(hasMarket) && <p className="mt-1.5 text-14 text-ink2">Crossed out: no market at the moment.</p>}
      {error && (
        <p id={id} role="alert" className="mt-1.5 text-14 font-medium text-loss">
          {error}
        </p>
      )}
    </fieldset>
  )
}
