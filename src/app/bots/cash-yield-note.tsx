import { t } from '#words/words.ts'
import { useConfig } from '#app/api/queries.ts'
import { percentText } from '#app/ui/money/money-format.ts'

/** The interest on idle cash in this book, and its source; empty without interest. */
export function CashYieldNote() {
  const config = useConfig().data
  if (!config?.cashYield) return null
  const { percent, source } = config.cashYield
  return (
    <p className="mt-2 text-14 text-ink2">
      {t(
        'Cash that bots hold together earns {percent} a year, added each midnight (UTC) of market time. Source: {source}.',
        { percent: percentText(percent, { sign: 'never' }), source },
      )}{' '}
      {config.book === 'paper' && t('Here it is paper money, like everything else.')}
    </p>
  )
}
