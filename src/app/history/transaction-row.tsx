import type { Transaction } from '#contract/transactions.ts'
import { msg, say, t } from '#words/words.ts'
import { useDates } from '#app/ui/device/dates.ts'
import { StatusBadge } from '#app/ui/frame/status-badge.tsx'
import { Money } from '#app/ui/money/money.tsx'
import { useRowTimes } from './use-row-times.ts'

export const COLUMNS =
  'lg:grid lg:grid-cols-[9.5rem_minmax(0,1fr)_10rem_9rem_7rem] lg:items-center lg:gap-x-4'

const TYPES: Record<Transaction['type'], string> = {
  deposit: msg('deposit'),
  withdrawal: msg('withdrawal'),
  trade: msg('trade'),
  transfer: msg('transfer'),
  refund: msg('refund'),
  dispute: msg('dispute'),
}

/**
 * Amounts have no color, because moving money is neither a gain nor a loss. A trade moves money
 * inside its bot; its amount is not bold, so that the bold amounts add up to the cash.
 */
export function TransactionRow({
  transaction,
  onOpen,
}: {
  transaction: Transaction
  onOpen: () => void
}) {
  const { type, description, bot, status } = transaction
  const { dayOf, timeOf } = useRowTimes()
  return (
    <li>
      <button
        type="button"
        onClick={onOpen}
        className={`-mx-2 flex min-h-19 w-[calc(100%+1rem)] flex-wrap items-center justify-between
          gap-x-3 rounded-control px-2 py-3 text-left
          transition-[background-color] duration-120 hover:bg-raised lg:min-h-14 lg:py-2
          ${COLUMNS}`}
      >
        <span className="min-w-[min(100%,9rem)] flex-1 lg:col-start-2 lg:row-start-1">
          <span
            className={
              'block text-16 wrap-break-word lg:line-clamp-2 ' +
              (type === 'trade' ? 'font-medium' : 'font-semibold')
            }
          >
            {description}
          </span>
          <Details transaction={transaction} />
        </span>
        <span className="ml-auto text-right lg:contents">
          <span
            className={'hidden text-left text-14 text-ink2 lg:col-start-1 lg:row-start-1 lg:block'}
          >
            {dayOf(transaction)}, {timeOf(transaction)}
          </span>
          <span
            className={
              'hidden truncate text-left text-14 text-ink2 lg:col-start-3 lg:row-start-1 ' +
              'lg:block'
            }
          >
            {bot?.name}
          </span>
          <Amount transaction={transaction} />
          <span className="block lg:col-start-5 lg:row-start-1">
            <StatusBadge status={status} />
          </span>
        </span>
      </button>
    </li>
  )
}

/** The type; on a phone also the time, which has a column of its own on a desktop. */
function Details({ transaction }: { transaction: Transaction }) {
  const { type, sendsAfter } = transaction
  const { momentText } = useDates()
  const { dayOf, timeOf } = useRowTimes()
  return (
    <span className="text-14 text-ink2">
      <span className="capitalize">{say(TYPES[type])}</span>
      <span className="lg:hidden">
        {' '}
        · {/* A separate element, so that screen readers and search find each text by itself. */}
      </span>
      <span className="whitespace-nowrap lg:hidden">{dayOf(transaction)}</span>
      <span className="whitespace-nowrap lg:hidden"> · {timeOf(transaction)}</span>
      {sendsAfter !== null && (
        <span className="block">
          {t('Will be sent after {moment}', { moment: momentText(sendsAfter) })}
        </span>
      )}
    </span>
  )
}

function Amount({ transaction: { type, amount, status, currency } }: { transaction: Transaction }) {
  return (
    <span
      data-amount
      className={
        'block text-16 lg:col-start-4 lg:row-start-1 ' +
        (type === 'trade' ? 'font-medium text-ink2' : 'font-semibold')
      }
    >
      <Money amount={amount} sign="always" className={status === 'failed' ? 'line-through' : ''} />
      {/* A space instead of a margin, because it is also read and copied. */}
      {currency && (
        <>
          {' '}
          <span className="text-12 font-medium text-ink2">{currency}</span>
        </>
      )}
    </span>
  )
}
