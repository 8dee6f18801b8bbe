import type { TradeFigures } from '#contract/bots.ts'
import type { TradePart } from '#contract/transactions.ts'
import { baseOf } from '#core/market/pair.ts'
import { Money } from '../ui/money.tsx'
import { ReceiptLine } from '../ui/receipt-line.tsx'
import { Receipt } from '../ui/receipt.tsx'
import { partText } from './part-text.ts'

/** What the bot's trade was computed from: the trade of all bots of its level, and what the bot weighed in it. */
export function PartLines({ part: { change, weight, whole, quantity, total, fee }, trade }: { part: TradePart; trade: TradeFigures }) {
  const verb = trade.side === 'buy' ? 'bought' : 'sold'
  return (
    <>
      <h3 className="mt-5 text-17 font-semibold">Your part of the pool's trade</h3>
      <Receipt>
        <ReceiptLine label="Change number">{change}</ReceiptLine>
        <ReceiptLine label={`All together ${verb}`}>
          <Money amount={quantity} asset={baseOf(trade.tradingPair)} />
        </ReceiptLine>
        <ReceiptLine label={trade.side === 'buy' ? 'They paid' : 'They received'}>
          <Money amount={total} precision="exact" />
        </ReceiptLine>
        <ReceiptLine label="Venue fee in it">
          <Money amount={fee} precision="exact" />
        </ReceiptLine>
        <ReceiptLine label="Your part">{partText({ weight, whole })}</ReceiptLine>
        <ReceiptLine label="By weight">
          <span className="text-12">
            {weight} of {whole}
          </span>
        </ReceiptLine>
      </Receipt>
      <p className="mt-2 text-14 text-ink2">
        Bots of one level trade a pair together, and each has its part by what it weighs. Your figures are computed from these: what you get is
        rounded down, what you give and fees up, to the eighth decimal.
      </p>
    </>
  )
}
