import type { Balances } from '#contract/wire.ts'
import { compareAmounts, differenceOf, sumOf } from '#app/ui/money/amount-text.ts'
import { Money } from '#app/ui/money/money.tsx'
import { Receipt, ReceiptLine } from '#app/ui/money/receipt.tsx'
import { Sheet } from '#app/ui/overlays/sheet.tsx'

/** How the total adds up. Each line is floored to cents separately; the cent or two that this may lose has a line of its own. */
export function BalanceReceipt({ balances, open, onClose }: { balances: Balances; open: boolean; onClose: () => void }) {
  const rest = differenceOf(balances.totalBalance, sumOf(balances.availableBalance, balances.heldBalance, balances.investedBalance))
  return (
    <Sheet open={open} onClose={onClose} title="How the balance adds up" description="Straight from the ledger, in US dollars.">
      <Receipt>
        <ReceiptLine label="Available cash">
          <Money amount={balances.availableBalance} />
        </ReceiptLine>
        <ReceiptLine label="Held for withdrawals">
          <Money amount={balances.heldBalance} />
        </ReceiptLine>
        <ReceiptLine label="In bots, at the last price">
          <Money amount={balances.investedBalance} />
        </ReceiptLine>
        {compareAmounts(rest, '0') !== 0 && (
          <ReceiptLine label="Fractions of a cent">
            <Money amount={rest} sign="always" />
          </ReceiptLine>
        )}
        <ReceiptLine kind="total" label="Total Balance">
          <Money amount={balances.totalBalance} />
        </ReceiptLine>
      </Receipt>
      <p className="mt-4 text-14 text-ink2">What bots hold moves with the market. Only available cash can be withdrawn.</p>
    </Sheet>
  )
}
