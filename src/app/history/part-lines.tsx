import type { TradeFigures } from '#contract/bots.ts'
import type { TradePart, TransactionReceipt } from '#contract/transactions.ts'
import { baseOf } from '#core/market/pair.ts'
import { ONE } from '#core/money/amount.ts'
import { unitsToDecimal } from '#core/money/decimal.ts'
import { groupDigits } from '#words/figures.ts'
import { t } from '#words/words.ts'
import { Money } from '#app/ui/money/money.tsx'
import { Receipt, ReceiptLine } from '#app/ui/money/receipt.tsx'
import { QuantityOf, tradeSum } from './trade-lines.tsx'

/** How the bot's trade was computed: from the trade of its pool and from its weight in it. */
export function PartLines({
  part: { change, weight, whole, quantity, total, fee },
  trade,
  lines,
  exact,
}: {
  part: TradePart
  trade: TradeFigures
  lines: TransactionReceipt['lines']
  exact: boolean
}) {
  const isPurchase = trade.side === 'buy'
  const precision = exact ? 'exact' : 'cents'
  const own = tradeSum({ trade, moved: lines[0]?.amount ?? '0', exact })
  // Rounded as the bot's own part above: a bot that is alone in its pool reads the same figures
  // twice.
  const all = tradeSum({
    trade: { ...trade, venueFee: fee, profit: null },
    moved: isPurchase ? `-${total}` : total,
    exact,
  })
  return (
    <>
      <h3 className="mt-5 text-17 font-semibold">{t("Your part of the pool's trade")}</h3>
      <Receipt>
        <ReceiptLine label={t('Change number')}>{change}</ReceiptLine>
        {lines.map(({ asset, amount }) => (
          <ReceiptLine
            key={asset}
            label={asset === 'USD' ? t('Cash in the bot') : t('Coins in the bot')}
          >
            {asset === 'USD' ? (
              <Money
                amount={isPurchase ? `-${own.total}` : own.total}
                sign="always"
                precision={precision}
              />
            ) : (
              <QuantityOf quantity={amount} asset={asset} exact={exact} sign="always" />
            )}
          </ReceiptLine>
        ))}
        <ReceiptLine label={isPurchase ? t('All bought') : t('All sold')}>
          <QuantityOf quantity={quantity} asset={baseOf(trade.tradingPair)} exact={exact} />
        </ReceiptLine>
        <ReceiptLine label={isPurchase ? t('All paid') : t('All received')}>
          <Money amount={all.total} precision={precision} />
        </ReceiptLine>
        <ReceiptLine label={t('With its fee')}>
          <Money amount={all.fee} sign="always" precision={precision} />
        </ReceiptLine>
        <ReceiptLine label={t('Your part')}>{partText({ weight, whole })}</ReceiptLine>
        {exact && (
          <ReceiptLine label={t('By weight')}>
            <span className="text-12">{t('{weight} of {whole}', { weight, whole })}</span>
          </ReceiptLine>
        )}
      </Receipt>
      <p className="mt-2 text-14 text-ink2">
        {t(
          'Bots of one level trade a pair together, and each has its part by what it ' +
            'weighs. Your figures are computed from these: what you get is rounded down, ' +
            'what you give and fees up, to the eighth decimal.',
        )}
      </p>
    </>
  )
}

/**
 * A bot's part of a trade in percent, with two to six decimals: weight divided by the sum of all
 * weights.
 */
export function partText({ weight, whole }: { weight: string; whole: string }): string {
  const percent = whole === '0' ? 0n : (BigInt(weight) * 100n * ONE) / BigInt(whole)
  const text = groupDigits(unitsToDecimal(percent, 6), { minimum: 2, maximum: 6 })
  return percent < ONE / 1_000_000n ? t('below 0.000001%') : t('{percent}%', { percent: text })
}
