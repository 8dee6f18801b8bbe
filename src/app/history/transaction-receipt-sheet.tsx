import type { Transaction, TransactionReceipt } from '#contract/transactions.ts'
import { useTransactionReceipt } from '#app/api/queries.ts'
import { sumOf } from '#app/ui/forms/amount-text.ts'
import { useDates } from '#app/ui/frame/dates.ts'
import { LoadProblem } from '#app/ui/frame/load-problem.tsx'
import { Money } from '#app/ui/money/money.tsx'
import { ReceiptLine } from '#app/ui/money/receipt-line.tsx'
import { Receipt } from '#app/ui/money/receipt.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { Skeleton } from '#app/ui/frame/skeleton.tsx'
import { StatusBadge } from '#app/ui/frame/status-badge.tsx'
import { accountName } from './account-name.ts'
import { CopyReference } from './copy-reference.tsx'
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
      <CopyReference reference={receipt.reference} />
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
