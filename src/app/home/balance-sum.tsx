import type { Balances } from '#contract/wire.ts'
import { isPositiveAmount } from '#app/ui/money/amount-text.ts'
import { Money } from '#app/ui/money/money.tsx'
import { Receipt, ReceiptLine } from '#app/ui/money/receipt.tsx'

/** The bots' total and what stands beside them. The server rounds each line to cents before it adds, so the sum is exact. */
export function BalanceSum({ balances }: { balances: Balances }) {
  return (
    <Receipt>
      <ReceiptLine label="In bots">
        <Money amount={balances.investedBalance} />
      </ReceiptLine>
      <ReceiptLine label="Available cash">
        <Money amount={balances.availableBalance} />
      </ReceiptLine>
      {isPositiveAmount(balances.heldBalance) && (
        <ReceiptLine label="Held for withdrawals">
          <Money amount={balances.heldBalance} />
        </ReceiptLine>
      )}
      <ReceiptLine kind="total" label="Total Balance">
        <Money amount={balances.totalBalance} />
      </ReceiptLine>
    </Receipt>
  )
}
