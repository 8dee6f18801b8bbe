import type { DepositResult } from '#contract/deposits.ts'
import { LinkButton } from '#app/ui/buttons/link-button.tsx'
import { Money } from '#app/ui/money/money.tsx'
import { Receipt, ReceiptLine } from '#app/ui/money/receipt.tsx'
import { StatusBadge } from '#app/ui/frame/status-badge.tsx'

export function DepositReceipt({ result }: { result: DepositResult }) {
  return (
    <section aria-labelledby="deposit-receipt" className="flex flex-col gap-6">
      <div>
        <h2 id="deposit-receipt" className="text-16 text-ink2">
          Deposited
        </h2>
        <Money size="hero" amount={result.amount} />
      </div>
      <Receipt>
        <ReceiptLine label="Status">
          <StatusBadge status="completed" />
        </ReceiptLine>
        <ReceiptLine label="Charged to your card">
          <Money amount={result.amount} />
        </ReceiptLine>
        <ReceiptLine label="Fee">
          <Money amount="0.00" />
        </ReceiptLine>
        <ReceiptLine label="Reference">
          <span className="text-12">{result.transactionId}</span>
        </ReceiptLine>
        <ReceiptLine kind="total" label="Available now">
          <Money amount={result.availableBalance} />
        </ReceiptLine>
      </Receipt>
      <div className="flex flex-col gap-3">
        <LinkButton href="/">Done</LinkButton>
        <LinkButton href="/bot-config" look="outline">
          Put it to work
        </LinkButton>
      </div>
    </section>
  )
}
