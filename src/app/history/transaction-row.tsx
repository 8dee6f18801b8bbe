import type { Transaction } from '#contract/transactions.ts'
import { useDates } from '#app/ui/device/dates.ts'
import { StatusBadge } from '#app/ui/frame/status-badge.tsx'
import { Money } from '#app/ui/money/money.tsx'

/** One transaction; pressing it opens the receipt. Without color: moving money is neither a gain nor a loss. */
export function TransactionRow({ transaction, onOpen }: { transaction: Transaction; onOpen: () => void }) {
  const { type, description, amount, status, createdAt, currency } = transaction
  const { dayText } = useDates()
  return (
    <li>
      <button
        type="button"
        onClick={onOpen}
        className="-mx-2 flex min-h-19 w-[calc(100%+1rem)] items-center justify-between gap-3 rounded-control px-2 py-3 text-left
          transition-[background-color] duration-120 hover:bg-raised"
      >
        <span className="min-w-0">
          <span className="line-clamp-2 text-16 font-semibold">{description}</span>
          <span className="block text-14 text-ink2">
            <span className="capitalize">{type}</span> · {dayText(createdAt)}
          </span>
        </span>
        <span className="shrink-0 text-right">
          <span className="block text-16 font-semibold">
            <Money amount={amount} sign="always" />
            {currency && <span className="text-12 font-medium text-ink2"> {currency}</span>}
          </span>
          <StatusBadge status={status} />
        </span>
      </button>
    </li>
  )
}
