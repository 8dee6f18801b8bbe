import type { Balances } from '#contract/wire.ts'
import { t } from '#words/words.ts'
import { Sheet } from '#app/ui/overlays/sheet.tsx'
import { BalanceLines } from '#app/ui/money/balance-lines.tsx'

/** How the total adds up. */
export function BalanceReceipt({ balances, open, onClose }: { balances: Balances; open: boolean; onClose: () => void }) {
  return (
    <Sheet open={open} onClose={onClose} title={t('Balance breakdown')} description={t('Straight from the ledger, in US dollars.')}>
      <Receipt>
        <ReceiptLine label={t('Available cash')}>
          <Money amount={balances.availableBalance} />
        </ReceiptLine>
        <ReceiptLine label={t('Held for withdrawals')}>
          <Money amount={balances.heldBalance} />
        </ReceiptLine>
        <ReceiptLine label={t('In bots, at the last price')}>
          <Money amount={balances.investedBalance} />
        </ReceiptLine>
        <ReceiptLine kind="total" label={t('Total Balance')}>
          <Money amount={balances.totalBalance} />
        </ReceiptLine>
      </Receipt>
      <p className="mt-4 text-14 text-ink2">{t('Money in bots moves with the market. Only available cash can be withdrawn.')}</p>
    </Sheet>
  )
}
