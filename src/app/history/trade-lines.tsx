import type { TradeFigures } from '#contract/bots.ts'
import { baseOf } from '#core/market/pair.ts'
import { parseDecimal, unitsToDecimal } from '#core/money/decimal.ts'
import { signOf, type MoneyStyle } from '#core/money/text.ts'
import { t } from '#words/words.ts'
import { DottedWord } from '#app/articles/dotted-word.tsx'
import { Change, Money } from '#app/ui/money/money.tsx'
import { Receipt } from '#app/ui/money/receipt.tsx'
import { Trans } from '#app/ui/words/trans.tsx'

/** `moved`: the money as booked, below 0 for a purchase. */
type Props = { trade: TradeFigures; moved: string }

/** The trade as a sum of rounded figures: worth, fee, and for a sale the cost of the coins. */
export function TradeSummary({ trade, moved }: Props) {
  const sum = tradeSum({ trade, moved, exact: false })
  return (
    <Receipt
      lines={[
        {
          label: (
            <Trans
              message="{quantity} at {price}"
              quantity={<QuantityOf quantity={trade.quantity} asset={baseOf(trade.tradingPair)} />}
              price={<Money own={false} amount={trade.price} precision="price" />}
            />
          ),
          value: <Money amount={sum.amount} />,
        },
        {
          label: <DottedWord term="trading-fee">{t('Trading fee')}</DottedWord>,
          value: <Money amount={sum.fee} />,
        },
        sum.result === null && {
          label: totalName(trade),
          value: <Money amount={sum.total} />,
          isTotal: true,
        },
        sum.cost !== null && {
          label: t('Paid for these coins'),
          value: <Money amount={sum.cost} sign="always" />,
        },
        sum.result !== null && {
          label: t('Realized result'),
          value: <Change amount={sum.result} />,
          isTotal: true,
        },
      ]}
    />
  )
}

/** All steps of the trade, with all decimals. */
export function TradeLines({ trade, moved }: Props) {
  const { side, quantity, price, tradingPair } = trade
  const sum = tradeSum({ trade, moved, exact: true })
  const money = (amount: string) => <Money amount={amount} precision="exact" />
  const signed = (amount: string) => <Money amount={amount} sign="always" precision="exact" />
  return (
    <Receipt
      lines={[
        {
          label: side === 'buy' ? t('Bought') : t('Sold'),
          value: <QuantityOf quantity={quantity} asset={baseOf(tradingPair)} exact />,
        },
        {
          label: t('Price per coin'),
          value: <Money own={false} amount={price} precision="exact" />,
        },
        { label: t('Price × quantity'), value: money(sum.amount) },
        { label: t('Trading fee'), value: money(sum.fee) },
        {
          label: totalName(trade),
          value: money(sum.total),
          isTotal: true,
        },
        sum.cost !== null && { label: t('Paid for these coins'), value: signed(sum.cost) },
        sum.result !== null && {
          label: t('Realized result'),
          value: signed(sum.result),
          isTotal: true,
        },
      ]}
    />
  )
}

const totalName = ({ side }: TradeFigures): string =>
  side === 'buy' ? t('Paid by the bot') : t('Received by the bot')

type Quantity = Pick<MoneyStyle, 'asset' | 'sign'> & { quantity: string; exact?: boolean }

export function QuantityOf({ quantity, exact = false, ...style }: Quantity) {
  return (
    <Money amount={quantity} {...style} precision={exact || isTiny(quantity) ? 'exact' : 'coin'} />
  )
}

const isTiny = (quantity: string): boolean => signOf(quantity.replace(/(\.\d{6}).*/, '$1')) === 0

/**
 * The figures of a trade that add up: amount and fee to the total, and for a sale the total and the
 * cost of the coins to the result.
 */
export type TradeSum = {
  amount: string
  fee: string
  total: string
  cost: string | null
  result: string | null
}

/**
 * `moved`: the money as booked, below 0 for a purchase. Figures are rounded down, against the
 * customer; the last line includes the remainder, so that the shown figures add up.
 */
export function tradeSum({
  trade,
  moved,
  exact,
}: {
  trade: TradeFigures
  moved: string
  exact: boolean
}): TradeSum {
  const round = (units: bigint) => parseDecimal(unitsToDecimal(units, exact ? 8 : 2)) ?? 0n
  const units = (text: string) => parseDecimal(text) ?? 0n
  const way = trade.side === 'buy' ? -1n : 1n
  const total = round(units(moved))
  const amount = round(units(moved) + units(trade.venueFee))
  const result = trade.profit === null ? null : round(units(trade.profit))
  const text = (figure: bigint) => unitsToDecimal(figure, exact ? 8 : 2)
  return {
    amount: text(way * amount),
    fee: text(way * (total - amount)),
    total: text(way * total),
    cost: result === null ? null : text(result - total),
    result: result === null ? null : text(result),
  }
}
