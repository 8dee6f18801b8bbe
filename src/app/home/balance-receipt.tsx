import type { Balances } from '#contract/wire.ts'
import { Sheet } from '#app/ui/overlays/sheet.tsx'
import { Money } from '#app/ui/money/money.tsx'
import { Receipt, ReceiptLine } from '#app/ui/money/receipt.tsx'

/** How the total adds up. */
export function BalanceReceipt({ balances, open, onClose }: { balances: Balances; open: boolean; onClose: () => void }) {
  return (
    <Sheet open={open} onClose={onClose} title="Balance breakdown" description="Straight from the ledger, in US dollars.">
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
        <ReceiptLine kind="total" label="Total Balance">
          <Money amount={balances.totalBalance} />
        </ReceiptLine>
      </Receipt>
      <p className="mt-4 text-14 text-ink2">Money in bots moves with the market. Only available cash can be withdrawn.</p>
    </Sheet>
  )
}
