import type { Balances } from '#contract/wire.ts'
import { t } from '#words/words.ts'
import { isPositiveAmount } from '#app/ui/money/amount-text.ts'
import { Money } from '#app/ui/money/money.tsx'
import { Receipt, ReceiptLine } from '#app/ui/money/receipt.tsx'

/**
 * The bots' total and what stands beside them. The server rounds each line to cents before it adds,
 * so the sum is exact.
 */
export function BalanceSum({ balances }: { balances: Balances }) {
  return (
    <Receipt>
      <ReceiptLine label={t('In bots')}>
        <Money amount={balances.investedBalance} />
      </ReceiptLine>
      <ReceiptLine label={t('Available cash')}>
        <Money amount={balances.availableBalance} />
      </ReceiptLine>
      {isPositiveAmount(balances.heldBalance) && (
        <ReceiptLine label={t('Held for withdrawals')}>
          <Money amount={balances.heldBalance} />
        </ReceiptLine>
      )}
      <ReceiptLine kind="total" label={t('Total Balance')}>
        <Money amount={balances.totalBalance} />
      </ReceiptLine>
    </Receipt>
  )
}
