import { lazy, Suspense, useState } from 'react'
import type { Transaction } from '#contract/transactions.ts'
import { useTransactions, type TransactionType } from '#app/api/queries.ts'
import { LinkButton } from '#app/ui/buttons/link-button.tsx'
import { EmptyState } from '#app/ui/frame/empty-state.tsx'
import { LoadMore } from '#app/ui/frame/load-more.tsx'
import { LoadProblem } from '#app/ui/frame/load-problem.tsx'
import { Skeleton } from '#app/ui/frame/skeleton.tsx'
import { TransactionRow } from './transaction-row.tsx'

const TransactionReceiptSheet = lazy(async () => ({ default: (await import('./transaction-receipt-sheet.tsx')).TransactionReceiptSheet }))

export function TransactionList({ type }: { type: TransactionType | undefined }) {
  const transactions = useTransactions(type)
  const [shown, setShown] = useState<Transaction>()
  const [open, setOpen] = useState(false)
  if (transactions.isError) return <LoadProblem message="Unable to load your transactions" onRetry={() => void transactions.refetch()} />
  if (!transactions.data) return <ListSkeleton />
  const items = transactions.data.pages.flatMap((page) => page.items)
  if (items.length === 0) {
    return <EmptyState title="No transactions yet" action={<LinkButton href="/deposit">Make Your First Deposit</LinkButton>} />
  }
  return (
    <>
      <ul className="divide-y divide-hairline">
        {items.map((transaction) => (
          <TransactionRow
            key={transaction.id}
            transaction={transaction}
            onOpen={() => {
              setShown(transaction)
              setOpen(true)
            }}
          />
        ))}
      </ul>
      <LoadMore
        hasMore={transactions.hasNextPage}
        loading={transactions.isFetchingNextPage}
        onMore={() => void transactions.fetchNextPage()}
      />
      {!transactions.hasNextPage && <p className="py-6 text-center text-14 text-ink2">No more transactions</p>}
      <Suspense>{shown && <TransactionReceiptSheet transaction={shown} open={open} onClose={() => setOpen(false)} />}</Suspense>
    </>
  )
}

function ListSkeleton() {
  return (
    <ul aria-label="Loading transactions" className="divide-y divide-hairline">
      {Array.from({ length: 8 }, (_, row) => (
        <li key={row} className="flex h-19 items-center justify-between">
          <span className="grid gap-2">
            <Skeleton className="h-4 w-36" />
            <Skeleton className="h-3.5 w-24" />
          </span>
          <span className="grid justify-items-end gap-2">
            <Skeleton className="h-4 w-20" />
            <Skeleton className="h-3.5 w-16" />
          </span>
        </li>
      ))}
    </ul>
  )
}
