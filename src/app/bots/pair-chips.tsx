import { useId, useState } from 'react'
import { FIRST_PAIRS } from '#core/bots/first-bot.ts'
import { ASSET_NAMES } from '#core/money/asset.ts'
import { baseOf, PAIRS, type Pair } from '#core/market/pair.ts'
import { msg, say, t } from '#words/words.ts'
import { CheckboxChip } from '#app/ui/forms/checkbox-chip.tsx'
import { ChoiceRow } from '#app/ui/forms/choice-row.tsx'
import { FieldError } from '#app/ui/forms/fields.tsx'
import { Disclosure } from '#app/ui/frame/disclosure.tsx'
import { pairText } from '#app/market/market-text.ts'
import { useTradedPairs } from './use-bot-draft.ts'

/** Groups of coins to choose with one tap. */
const COIN_CHOICES: readonly { message: string; pairs: readonly Pair[] }[] = [
  { message: msg('Top {count}'), pairs: FIRST_PAIRS },
  { message: msg('All {count}'), pairs: PAIRS },
]

export function PairChips({
  value,
  error,
  onChange,
}: {
  value: readonly Pair[]
  error: string | undefined
  onChange: (pairs: readonly Pair[]) => void
}) {
  const id = useId()
  const isTraded = useTradedPairs()
  const textOf = (pairs: readonly Pair[]) => PAIRS.filter((pair) => pairs.includes(pair)).join()
  const choices = COIN_CHOICES.map(({ message, pairs }) => ({
    text: say(message, { count: pairs.length }),
    value: textOf(pairs.filter(isTraded)),
  }))
  const isOther = choices.every((choice) => choice.value !== textOf(value))
  // Undefined at first, because a stored draft is known only after the first rendering.
  const [isOpen = isOther, setOpen] = useState<boolean>()
  return (
    <fieldset className="flex min-w-0 flex-col gap-3" aria-describedby={error ? id : undefined}>
      <legend className="mb-1.5 text-17 font-semibold">{t('Trading pairs')}</legend>
      <ChoiceRow
        label={t('Common choices')}
        choices={choices}
        chosen={textOf(value)}
        onChoose={(chosen) => onChange(PAIRS.filter((pair) => chosen.split(',').includes(pair)))}
      />
      <Disclosure
        summary={t('Choose')}
        open={isOpen || error !== undefined}
        onToggle={(event) => setOpen(event.currentTarget.open)}
      >
        <Chips value={value} isWrong={error !== undefined} onChange={onChange} />
      </Disclosure>
      <FieldError id={id} error={error} />
    </fieldset>
  )
}

type ChipsProps = Pick<Parameters<typeof PairChips>[0], 'value' | 'onChange'> & { isWrong: boolean }

function Chips({ value, isWrong, onChange }: ChipsProps) {
  const isTraded = useTradedPairs()
  const toggle = (pair: Pair) =>
    onChange(value.includes(pair) ? value.filter((other) => other !== pair) : [...value, pair])
  return (
    <>
      <div
        data-wrong={isWrong ? '' : undefined}
        className="grid grid-cols-[repeat(auto-fill,minmax(8.25rem,1fr))] gap-2"
      >
        {PAIRS.map((pair) => (
          <CheckboxChip
            key={pair}
            name="tradingPairs"
            value={pair}
            checked={value.includes(pair)}
            disabled={!isTraded(pair) && !value.includes(pair)}
            onToggle={() => toggle(pair)}
            text={pairText(pair)}
            detail={coinName(pair)}
          />
        ))}
      </div>
      {!PAIRS.every(isTraded) && (
        <p className="text-14 text-ink2">{t("Crossed-out pairs aren't trading right now.")}</p>
      )}
    </>
  )
}

/** The pair's text names POL's coin by its old and new name already. */
function coinName(pair: Pair): string {
  const coin = baseOf(pair)
  return coin === 'POL' ? 'Polygon' : ASSET_NAMES[coin]
}
