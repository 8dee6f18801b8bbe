import type { Balances } from '#contract/wire.ts'
import { t } from '#words/words.ts'
import { Sheet } from '#app/ui/overlays/sheet.tsx'
import { BalanceLines } from '#app/ui/money/balance-lines.tsx'

export function BalanceReceipt({
  balances,
  open,
  onClose,
}: {
  balances: Balances
  open: boolean
  onClose: () => void
}) {
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={t('Balance breakdown')}
      description={t('Straight from the ledger, in US dollars.')}
    >
      <BalanceLines balances={balances} total={t('Total Balance')} />
      <p className="mt-4 text-14 text-ink2">
        {t('Money in bots moves with the market. Only available cash can be withdrawn.')}
      </p>
    </Sheet>
  )
}
