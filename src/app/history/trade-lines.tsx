import type { TradeFigures } from '#contract/bots.ts'
import { baseOf } from '#core/market/pair.ts'
import { signOf, type MoneyStyle } from '#core/money/text.ts'
import { t } from '#words/words.ts'
import { Change } from '#app/ui/money/change.tsx'
import { Money } from '#app/ui/money/money.tsx'
import { Receipt, ReceiptLine } from '#app/ui/money/receipt.tsx'
import { tradeSum } from './trade-sum.ts'

/** `moved`: the money as booked, below 0 for a purchase. `exact`: with all decimals. */
type Props = { trade: TradeFigures; moved: string; exact: boolean }

/** A trade as a sum: price × quantity and the fee, and for a sale what the coins had cost. */
export function TradeLines({ trade, moved, exact }: Props) {
  const { side, quantity, price, tradingPair } = trade
  const sum = tradeSum({ trade, moved, exact })
  const precision = exact ? 'exact' : 'cents'
  return (
    <Receipt>
      <ReceiptLine label={side === 'buy' ? t('Bought') : t('Sold')}>
        <QuantityOf quantity={quantity} asset={baseOf(tradingPair)} exact={exact} />
      </ReceiptLine>
      <ReceiptLine label={t('Price of one')}>
        <Money own={false} amount={price} precision={exact ? 'exact' : 'price'} />
      </ReceiptLine>
      <ReceiptLine label={t('Price × quantity')}>
        <Money amount={sum.amount} precision={precision} />
      </ReceiptLine>
      <ReceiptLine label={t('Trading fee')}>
        <Money amount={sum.fee} sign="always" precision={precision} />
      </ReceiptLine>
      <ReceiptLine
        kind="total"
        label={side === 'buy' ? t('Paid by the bot') : t('Received by the bot')}
      >
        <Money amount={sum.total} precision={precision} />
      </ReceiptLine>
      {sum.cost !== null && sum.result !== null && (
        <>
          <ReceiptLine label={t('Paid for these coins')}>
            <Money amount={sum.cost} sign="always" precision={precision} />
          </ReceiptLine>
          <ReceiptLine kind="total" label={t('Realized result')}>
            {exact ? (
              <Money amount={sum.result} sign="always" precision="exact" />
            ) : (
              <Change amount={sum.result} />
            )}
          </ReceiptLine>
        </>
      )}
    </Receipt>
  )
}

type Quantity = Pick<MoneyStyle, 'asset' | 'sign'> & { quantity: string; exact: boolean }

/** A quantity of coins, spelled alike wherever a receipt shows it. */
export function QuantityOf({ quantity, exact, ...style }: Quantity) {
  return (
    <Money amount={quantity} {...style} precision={exact || isTiny(quantity) ? 'exact' : 'coin'} />
  )
}

/** Below what six decimals can show. */
const isTiny = (quantity: string): boolean => signOf(quantity.replace(/(\.\d{6}).*/, '$1')) === 0
