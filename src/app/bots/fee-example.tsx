import type { StrategyKind } from '#core/strategy/strategy-key.ts'
import { digitsText } from '#words/figures.ts'
import { t } from '#words/words.ts'
import { useConfig } from '#app/api/queries.ts'
import { Money } from '#app/ui/money/money.tsx'
import { Receipt, ReceiptLine } from '#app/ui/money/receipt.tsx'
import { differenceOf } from '#app/ui/money/amount-text.ts'

/** Explains the fee before the first investment. On a profit of $100, a fee of n percent is $n. */
export function FeeExample({ strategy }: { strategy: StrategyKind }) {
  const config = useConfig().data
  if (config === undefined) return null
  const percentage = strategy === 'hold' ? config.holdFeePercentage : config.feePercentage
  if (percentage === '0.00')
    return (
      <p className="border-t border-hairline pt-4 text-14 text-ink2">
        {t(
          'A bot that holds pays us no fee on its profit. Only the costs of buying and selling are yours.',
        )}
      </p>
    )
  return (
    <section aria-label={t('Fee')} className="border-t border-hairline pt-4">
      <p className="text-14 text-ink2">
        {t(
          'Our fee is {percent}% of the profit that you take out of a bot. You pay it once, when the money leaves the bot.',
          { percent: digitsText(percentage) },
        )}{' '}
        {t('Without a profit you pay nothing. For example:')}
      </p>
      <Receipt>
        <ReceiptLine label={t('Profit that you take out')}>
          <Money own={false} amount="100.00" />
        </ReceiptLine>
        <ReceiptLine label={t('Our fee')}>
          <Money own={false} amount={`-${percentage}`} />
        </ReceiptLine>
        <ReceiptLine kind="total" label={t('You keep')}>
          <Money own={false} amount={differenceOf('100.00', percentage)} />
        </ReceiptLine>
      </Receipt>
    </section>
  )
}
