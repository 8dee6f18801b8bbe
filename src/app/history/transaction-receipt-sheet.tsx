import type { Transaction, TransactionReceipt } from '#contract/transactions.ts'
import { useTransactionReceipt } from '#app/api/queries.ts'
import { CopyButton } from '#app/ui/buttons/copy-button.tsx'
import { useDates } from '#app/ui/device/dates.ts'
import { LoadProblem } from '#app/ui/frame/load-problem.tsx'
import { Skeleton } from '#app/ui/frame/skeleton.tsx'
import { StatusBadge } from '#app/ui/frame/status-badge.tsx'
import { sumOf } from '#app/ui/money/amount-text.ts'
import { Money } from '#app/ui/money/money.tsx'
import { Receipt, ReceiptLine } from '#app/ui/money/receipt.tsx'
import { Sheet } from '#app/ui/overlays/sheet.tsx'
import { accountName } from './account-name.ts'
import { PartLines } from './part-lines.tsx'
import { TradeLines } from './trade-lines.tsx'

type Props = { transaction: Transaction; open: boolean; onClose: () => void }

export function TransactionReceiptSheet({ transaction, open, onClose }: Props) {
  const receipt = useTransactionReceipt(transaction.id)
  const { momentText } = useDates()
  return (
    <Sheet open={open} onClose={onClose} title={transaction.description} description={momentText(transaction.createdAt)}>
      <Money size="hero" amount={transaction.amount} sign="always" />
      <StatusBadge status={transaction.status} />
      <div className="mt-5 min-h-60">
        {receipt.isPending && <Skeleton className="h-60 w-full" />}
        {receipt.isError && <LoadProblem message="Unable to load the receipt" onRetry={() => void receipt.refetch()} />}
        {receipt.data && <Lines receipt={receipt.data} />}
      </div>
    </Sheet>
  )
}

function Lines({ receipt }: { receipt: TransactionReceipt }) {
  const dollars = receipt.lines.filter(({ asset }) => asset === 'USD')
  return (
    <>
      <Receipt>
        {receipt.paymentIntentId && <ReceiptLine label="Payment">{receipt.paymentIntentId}</ReceiptLine>}
        {receipt.trade && <TradeLines trade={receipt.trade} />}
        <ReceiptLine label="Reference">
          <span className="text-12">{receipt.reference}</span>
        </ReceiptLine>
      </Receipt>
      {/* Also makes a long receipt scrollable by keyboard: it can have the focus. */}
      <CopyButton name="reference" text={receipt.reference} className="-ml-2" />
      {receipt.part && receipt.trade && <PartLines part={receipt.part} trade={receipt.trade} lines={receipt.lines} />}
      {!receipt.part && receipt.lines.length > 0 && (
        <>
          <h3 className="mt-5 text-17 font-semibold">Ledger lines</h3>
          <Receipt>
            {receipt.lines.map(({ account, asset, amount, at }, place) => (
              <ReceiptLine key={`${place}${account}${asset}${at}`} label={accountName(account)}>
                <Money amount={amount} asset={asset} sign="always" precision="exact" />
              </ReceiptLine>
            ))}
            {dollars.length > 1 && (
              <ReceiptLine kind="total" label="Sum of the dollar lines">
                <Money amount={sumOf(...dollars.map(({ amount }) => amount))} />
              </ReceiptLine>
            )}
          </Receipt>
        </>
      )}
    </>
  )
}
