import type { Balances } from '#contract/wire.ts'
import { t } from '#words/words.ts'
import { Money } from './money.tsx'
import { Receipt } from './receipt.tsx'

export function BalanceLines({ balances, total }: { balances: Balances; total: string }) {
  return (
    <Receipt
      lines={[
        { label: t('Available cash'), value: <Money amount={balances.availableBalance} /> },
        { label: t('Held for withdrawals'), value: <Money amount={balances.heldBalance} /> },
        {
          label: t('In bots, at the last price'),
          value: <Money amount={balances.investedBalance} />,
        },
        { label: total, value: <Money amount={balances.totalBalance} />, isTotal: true },
      ]}
    />
  )
}
