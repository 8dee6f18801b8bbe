import type { TradeFigures } from '#contract/bots.ts'
import { baseOf } from '#core/market/pair.ts'
import { useDates } from '#app/ui/device/dates.ts'
import { Money } from '#app/ui/money/money.tsx'
import { ReceiptLine } from '#app/ui/money/receipt.tsx'

/** The reason for a trade and all its figures. */
export function TradeLines({ trade: { tradingPair, quantity, price, amount, venueFee, profit, reason, marketTime } }: { trade: TradeFigures }) {
  const { momentText } = useDates()
  return (
    <>
      <ReceiptLine label="Why">{reason}</ReceiptLine>
      <ReceiptLine label="Quantity">
        <Money amount={quantity} asset={baseOf(tradingPair)} />
      </ReceiptLine>
      <ReceiptLine label="Price">
        <Money amount={price} precision="exact" />
      </ReceiptLine>
      <ReceiptLine label="Amount">
        <Money amount={amount} />
      </ReceiptLine>
      <ReceiptLine label="Venue fee">
        <Money amount={venueFee} precision="exact" />
      </ReceiptLine>
      {profit !== null && (
        <ReceiptLine label="Realised result">
          <Money amount={profit} sign="always" precision="exact" />
        </ReceiptLine>
      )}
      <ReceiptLine label="Market time">{momentText(marketTime)}</ReceiptLine>
    </>
  )
}
