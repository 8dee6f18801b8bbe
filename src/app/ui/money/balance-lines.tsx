import type { Balances } from '#contract/wire.ts'
import { t } from '#words/words.ts'
import { Money } from './money.tsx'
import { Receipt, ReceiptLine } from './receipt.tsx'

export function BalanceLines({ balances, total }: { balances: Balances; total: string }) {
  return (
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
      <ReceiptLine kind="total" label={total}>
        <Money amount={balances.totalBalance} />
      </ReceiptLine>
    </Receipt>
  )
}
