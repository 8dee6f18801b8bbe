import { useMemo } from 'react'
import type { Transaction } from '#contract/transactions.ts'
import { say, t } from '#words/words.ts'
import { useTransactions } from '#app/api/long-lists.ts'
import { Button, LinkButton } from '#app/ui/buttons/button.tsx'
import { DaySection } from '#app/ui/frame/day-section.tsx'
import { EmptyState } from '#app/ui/frame/empty-state.tsx'
import { LoadProblem, Skeleton } from '#app/ui/frame/section.tsx'
import { ArrowUp } from '#app/ui/frame/later-icons.ts'
import { LoadMore } from '#app/ui/frame/load-more.tsx'
import { differenceOf, sumOf } from '#app/ui/money/amount-text.ts'
import { Money } from '#app/ui/money/money.tsx'
import { Trans } from '#app/ui/words/trans.tsx'
import { filtersText, NO_FILTERS, NONE_YET, queryOf, type Filters } from './filters.ts'
import { useHeldRows } from './held-rows.ts'
import { COLUMNS, TransactionRow } from './transaction-row.tsx'
import { useRowTimes } from './use-row-times.ts'

export function TransactionList({
  filters,
  onOpen,
  onClear,
}: {
  filters: Filters
  onOpen: (id: string) => void
  onClear: () => void
}) {
  const name = filtersText(filters)
  const transactions = useTransactions(name, queryOf(filters))
  if (transactions.isError)
    return (
      <LoadProblem
        message={t('Unable to load your transactions')}
        onRetry={() => void transactions.refetch()}
      />
    )
  if (!transactions.data) return <ListSkeleton />
  if (transactions.data.pages[0]?.items.length === 0)
    return <Nothing filters={filters} onClear={onClear} />
  return <Rows transactions={transactions} isWhole={name === 'all'} onOpen={onOpen} />
}

/** `isWhole`: whether the list is unfiltered and so adds up to the cash. */
function Rows({
  transactions,
  isWhole,
  onOpen,
}: {
  transactions: ReturnType<typeof useTransactions>
  isWhole: boolean
  onOpen: (id: string) => void
}) {
  const pages = transactions.data?.pages
  const items = useMemo(() => pages?.flatMap((page) => page.items) ?? [], [pages])
  const { rows, waiting, isAllWaiting, showAll } = useHeldRows(items, transactions.isFetching)
  const { groupOf } = useRowTimes()
  const cash = pages?.[0]?.cash
  return (
    <>
      {isWhole && cash !== undefined && (
        <Sum cash={differenceOf(cash, countedOf(waiting))} isKnown={isAllWaiting} />
      )}
      <NewRowsPill count={waiting.length} isAll={isAllWaiting} onShow={showAll} />
      <ColumnHeads />
      {groupsByDay(rows, groupOf).map(({ day, rows: own }) => (
        <DaySection key={own.at(-1)?.id} day={day}>
          {own.map((transaction) => (
            <TransactionRow
              key={transaction.id}
              transaction={transaction}
              onOpen={() => onOpen(transaction.id)}
            />
          ))}
        </DaySection>
      ))}
      <LoadMore
        hasMore={transactions.hasNextPage}
        loading={transactions.isFetchingNextPage}
        onMore={() => void transactions.fetchNextPage()}
      />
      {!transactions.hasNextPage && (
        <p className="py-6 text-center text-14 text-ink2">{t('No more transactions')}</p>
      )}
    </>
  )
}

/**
 * The sum of the amounts that changed the cash: not of trades, which stay inside bots, nor of
 * failed rows.
 */
function countedOf(rows: readonly Transaction[]): string {
  return sumOf(
    ...rows
      .filter(({ type, status }) => type !== 'trade' && status !== 'failed')
      .map(({ amount }) => amount),
  )
}

function Sum({ cash, isKnown }: { cash: string; isKnown: boolean }) {
  return (
    <p className={`pt-3 text-14 text-ink2 ${isKnown ? '' : 'invisible'}`}>
      <Trans
        message="The amounts in bold add up to your cash, {cash}. Trades move money inside their bot."
        cash={<Money amount={cash} className="font-semibold text-ink" />}
      />
    </p>
  )
}

/**
 * The column heads of the desktop table. Hidden from screen readers, which read each row as a
 * sentence.
 */
function ColumnHeads() {
  return (
    <div aria-hidden="true" className={`hidden pt-4 text-12 font-semibold text-ink2 ${COLUMNS}`}>
      <span>{t('Date')}</span>
      <span>{t('Transaction')}</span>
      <span>{t('Bot')}</span>
      <span className="text-right">{t('Amount')}</span>
      <span className="text-right">{t('Status')}</span>
    </div>
  )
}

function Nothing({ filters, onClear }: { filters: Filters; onClear: () => void }) {
  const deposit = <LinkButton href="/deposit">{t('Make Your First Deposit')}</LinkButton>
  const { type, ...narrowing } = filters
  if (filtersText({ ...NO_FILTERS, ...narrowing }) === 'all') {
    if (type === '') return <EmptyState title={t('No transactions yet')} action={deposit} />
    return <EmptyState title={say(NONE_YET[type])} action={type === 'deposit' && deposit} />
  }
  return (
    <EmptyState
      title={t('Nothing matches')}
      action={
        <Button look="outline" onClick={onClear}>
          {t('Clear filters')}
        </Button>
      }
    >
      {t('No transactions match these filters.')}
    </EmptyState>
  )
}

function ListSkeleton() {
  return (
    <ul aria-label={t('Loading transactions')} className="divide-y divide-hairline pt-12">
      {Array.from({ length: 8 }, (_, row) => (
        <li key={row} className="flex min-h-19 flex-wrap items-center justify-between gap-x-3 py-3">
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

/**
 * A button that shows rows which arrived while the list was read, so that nothing moves until it is
 * pressed.
 */
function NewRowsPill({
  count,
  isAll,
  onShow,
}: {
  count: number
  isAll: boolean
  onShow: () => void
}) {
  const show = () => {
    onShow()
    // The button disappears, so the focus moves to the list.
    document.getElementById('transactions')?.focus({ preventScroll: true })
    window.scrollTo({
      top: 0,
      behavior: matchMedia('(prefers-reduced-motion: reduce)').matches ? 'instant' : 'smooth',
    })
  }
  return (
    <div
      role="status"
      className={
        'pointer-events-none sticky top-[calc(env(safe-area-inset-top)+0.5rem)] z-20 -mb-12 ' +
        'grid h-12 place-items-center'
      }
    >
      {count > 0 && (
        <button
          type="button"
          onClick={show}
          className={
            'pointer-events-auto inline-flex min-h-12 items-center gap-1.5 rounded-full ' +
            'border border-transparent bg-accent px-4 text-14 font-semibold text-on-accent ' +
            'motion-safe:animate-drop'
          }
        >
          <ArrowUp size={18} aria-hidden="true" />{' '}
          {t('{count} new', { count: isAll ? count : `${count}+` })}
        </button>
      )}
    </div>
  )
}

type DayGroup = { day: string; rows: Transaction[] }

export function groupsByDay(
  rows: readonly Transaction[],
  dayOf: (row: Transaction) => string,
): DayGroup[] {
  const groups: DayGroup[] = []
  for (const row of rows) {
    const day = dayOf(row)
    const last = groups.at(-1)
    if (last?.day === day) last.rows.push(row)
    else groups.push({ day, rows: [row] })
  }
  return groups
}
