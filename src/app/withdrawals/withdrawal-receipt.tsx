import type { Withdrawal } from '#contract/withdrawals.ts'
import { useDates } from '#app/ui/device/dates.ts'
import { LinkButton } from '#app/ui/buttons/link-button.tsx'
import { Money } from '#app/ui/money/money.tsx'
import { Receipt, ReceiptLine } from '#app/ui/money/receipt.tsx'
import { StatusBadge } from '#app/ui/frame/status-badge.tsx'

export function WithdrawalReceipt({ withdrawal }: { withdrawal: Withdrawal }) {
  const { momentText } = useDates()
  return (
    <section aria-labelledby="withdrawal-receipt" className="flex flex-col gap-6">
      <div>
        <h2 id="withdrawal-receipt" className="text-16 text-ink2">
          Withdrawal requested
        </h2>
        <Money size="hero" amount={withdrawal.amount} />
      </div>
      <Receipt>
        <ReceiptLine label="Status">
          <StatusBadge status={withdrawal.status} />
        </ReceiptLine>
        <ReceiptLine label="To">
          {withdrawal.bankName} •••• {withdrawal.accountNumber}
        </ReceiptLine>
        <ReceiptLine label="Requested">{momentText(withdrawal.createdAt)}</ReceiptLine>
        <ReceiptLine label="Arrival">1-3 business days</ReceiptLine>
        <ReceiptLine label="Fee">
          <Money amount="0.00" />
        </ReceiptLine>
        <ReceiptLine label="Reference">
          <span className="text-12">{withdrawal.id}</span>
        </ReceiptLine>
        <ReceiptLine kind="total" label="You receive">
          <Money amount={withdrawal.amount} />
        </ReceiptLine>
      </Receipt>
      <p className="text-14 text-ink2">Until it is sent, the money is held in your account and you can cancel.</p>
      <LinkButton href="/">Done</LinkButton>
    </section>
  )
}
