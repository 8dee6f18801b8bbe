import type { TradeFigures } from '#contract/bots.ts'
import type { TradePart, TransactionReceipt } from '#contract/transactions.ts'
import { baseOf } from '#core/market/pair.ts'
import { ONE } from '#core/money/amount.ts'
import { unitsToDecimal } from '#core/money/decimal.ts'
import { groupDigits } from '#words/figures.ts'
import { msg, say, t } from '#words/words.ts'
import { Money } from '#app/ui/money/money.tsx'
import { Receipt } from '#app/ui/money/receipt.tsx'
import { QuantityOf, tradeSum } from './trade-lines.tsx'

const PART_NOTE = msg(
  'Bots of one risk level trade a pair together, and each takes a share by its ' +
    'weight. Your amounts have eight decimals: receipts are rounded down, ' +
    'payments and fees are rounded up.',
)

type Props = { part: TradePart; trade: TradeFigures; lines: TransactionReceipt['lines'] }

/** The pool's trade and the bot's share of it, with all decimals. */
export function PartLines({ part, trade, lines }: Props) {
  const { change, weight, whole, quantity } = part
  const isPurchase = trade.side === 'buy'
  const paid = (amount: string) => (isPurchase ? `-${amount}` : amount)
  const money = (amount: string, sign: 'always' | 'auto' = 'auto') => (
    <Money amount={amount} sign={sign} precision="exact" />
  )
  const { own, all } = sumsOf({ part, trade, lines })
  return (
    <>
      <h3 className="mt-5 text-17 font-semibold">{t("Your share of the pool's trade")}</h3>
      <Receipt
        lines={[
          { label: t('Number of the change'), value: change },
          ...lines.map(({ asset, amount }) =>
            asset === 'USD'
              ? { label: t('Cash in the bot'), value: money(paid(own.total), 'always') }
              : {
                  label: t('Coins in the bot'),
                  value: <QuantityOf quantity={amount} asset={asset} exact sign="always" />,
                },
          ),
          {
            label: isPurchase ? t('Total bought') : t('Total sold'),
            value: <QuantityOf quantity={quantity} asset={baseOf(trade.tradingPair)} exact />,
          },
          { label: isPurchase ? t('Total paid') : t('Total received'), value: money(all.total) },
          { label: t('Total fee'), value: money(all.fee, 'always') },
          { label: t('Your share'), value: partText({ weight, whole }) },
          {
            label: t('Your weight'),
            value: <span className="text-12">{t('{weight} of {whole}', { weight, whole })}</span>,
          },
        ]}
      />
      <p className="mt-2 text-14 text-ink2">{say(PART_NOTE)}</p>
    </>
  )
}

/**
 * The bot's own trade and the whole pool's, which are equal if the bot is alone in its pool.
 */
function sumsOf({ part: { total, fee }, trade, lines }: Props) {
  const all = { ...trade, venueFee: fee, profit: null }
  return {
    own: tradeSum({ trade, moved: lines[0]?.amount ?? '0', exact: true }),
    all: tradeSum({
      trade: all,
      moved: trade.side === 'buy' ? `-${total}` : total,
      exact: true,
    }),
  }
}

export function partText({ weight, whole }: { weight: string; whole: string }): string {
  const percent = whole === '0' ? 0n : (BigInt(weight) * 100n * ONE) / BigInt(whole)
  const text = groupDigits(unitsToDecimal(percent, 6), { minimum: 2, maximum: 6 })
  return percent < ONE / 1_000_000n ? t('below 0.000001%') : t('{percent}%', { percent: text })
}
