import { t } from '#words/words.ts'
import { isPositiveAmount } from '#app/ui/money/amount-text.ts'
import { isTypedPositive, shareOf } from '#app/ui/money/typed-amount.ts'
import { ChoiceRow } from './choice-row.tsx'

const SHARES_PERCENT = [25, 50, 75, 100] as const

export function ShareChoice({
  available,
  typed,
  onChoose,
}: {
  available: string
  typed: string
  onChoose: (amount: string) => void
}) {
  return (
    <ChoiceRow
      label={t('Share of the available balance')}
      choices={SHARES_PERCENT.map((percent) => ({
        text: percent === 100 ? t('Max') : t('{percent}%', { percent }),
        value: shareOf(available, percent),
      }))}
      chosen={isTypedPositive(typed) ? typed : ''}
      disabled={!isPositiveAmount(available)}
      onChoose={onChoose}
    />
  )
}
