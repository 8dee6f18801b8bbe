import { Button } from '#app/ui/buttons/button.tsx'
import { Money } from '#app/ui/money/money.tsx'
import { Receipt, ReceiptLine } from '#app/ui/money/receipt.tsx'

/** What is about to be paid, above the card. */
export function PaymentSummary({ amount, pending, onChangeAmount }: { amount: string; pending: boolean; onChangeAmount: () => void }) {
  return (
    <>
      <div className="flex min-h-12 items-center justify-between gap-3">
        <h2 className="text-20 font-semibold">Complete Payment</h2>
        <Button look="quiet" className="-mr-2" disabled={pending} onClick={onChangeAmount}>
          Change amount
        </Button>
      </div>
      <div data-unfinished className="mt-2 mb-6">
        <Receipt>
          <ReceiptLine label="Deposit">
            <Money amount={amount} />
          </ReceiptLine>
          <ReceiptLine label="Fee">
            <Money amount="0.00" />
          </ReceiptLine>
          <ReceiptLine label="Arrival">at once</ReceiptLine>
          <ReceiptLine kind="total" label="Your card is charged">
            <Money amount={amount} />
          </ReceiptLine>
        </Receipt>
      </div>
    </>
  )
}
