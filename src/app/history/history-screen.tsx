import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { sentenceOf } from '#contract/problem.ts'
import { MAX_SEARCH } from '#contract/query-values.ts'
import { plainRoutes } from '#contract/plain-routes.ts'
import { screens } from '#contract/screens.ts'
import { msg, say, t } from '#words/words.ts'
import { useAnswer } from '#app/api/queries.ts'
import { useTransactionReceipt } from '#app/api/receipt-query.ts'
import { PageHeader } from '#app/shell/page-header.tsx'
import { DownloadLink } from '#app/ui/buttons/download-link.tsx'
import { IconButton } from '#app/ui/buttons/button.tsx'
import { Field, FieldError, INPUT_STYLE } from '#app/ui/forms/fields.tsx'
import { WholeSelect } from '#app/ui/forms/whole-select.tsx'
import { useSearchParams } from '#app/ui/frame/address.ts'
import { Link } from '#app/ui/frame/link.tsx'
import { Search, SlidersHorizontal } from '#app/ui/frame/later-icons.ts'
import { Tabs } from '#app/ui/frame/tabs.tsx'
import {
  exportQuery,
  filtersText,
  NO_FILTERS,
  readFilters,
  withFilters,
  type Filters,
} from './filters.ts'
import { useReceiptAddress, type ReceiptAddress } from './receipt-address.ts'
import { TransactionList } from './transaction-list.tsx'

const TYPES = [
  { value: 'all', text: msg('All') },
  { value: 'deposit', text: msg('Deposits') },
  { value: 'trade', text: msg('Trades') },
  { value: 'withdrawal', text: msg('Withdrawals') },
  { value: 'transfer', text: msg('Transfers') },
] as const

/**
 * Filters and the open receipt are in the address, so they survive a reload, and Back restores
 * them.
 */
export function HistoryScreen() {
  const [search, setSearch] = useSearchParams()
  const filters = readFilters(search)
  const receipt = useReceiptAddress()
  const change = (changed: Partial<Filters>) =>
    setSearch((before) => withFilters(before, changed), { replace: true })
  const type = TYPES.find(({ value }) => value === filters.type)?.value ?? 'all'
  const options = TYPES.map(({ value, text }) => ({ value, text: say(text) }))
  const clear = () => {
    change(NO_FILTERS)
    document.getElementById('transactions')?.focus({ preventScroll: true })
  }
  return (
    <>
      <PageHeader screen="history" />
      <div className="overflow-x-auto px-2">
        <div className="w-max min-w-full lg:min-w-0">
          <Tabs
            label={t('Filter')}
            options={options}
            value={type}
            onChange={(value) => change({ type: value === 'all' ? '' : value })}
            panelId="transactions"
          />
        </div>
      </div>
      <FilterBar filters={filters} onChange={change} />
      <Downloads query={exportQuery(filters)} />
      <div
        id="transactions"
        role="tabpanel"
        aria-label={t('Transactions')}
        tabIndex={-1}
        className="px-5 outline-none"
      >
        <TransactionList
          key={filtersText(filters)}
          filters={filters}
          onOpen={receipt.open}
          onClear={clear}
        />
      </div>
      <ReceiptFromAddress receipt={receipt} />
    </>
  )
}

function Downloads({ query }: { query: string }) {
  return (
    <div
      className={'flex flex-wrap items-center justify-between gap-x-4 px-5 pt-2 text-14 text-ink2'}
    >
      {t('Newest first')}
      <div className="flex flex-wrap gap-x-4">
        <DownloadLink href={plainRoutes.statement + query}>{t('Statement (CSV)')}</DownloadLink>
        <DownloadLink href={plainRoutes.trades + query}>{t('Download trades (CSV)')}</DownloadLink>
        <Link
          href={screens.statement.path}
          className="inline-flex min-h-12 items-center text-14 font-semibold text-accent"
        >
          {t('Year statement and tax exports')}
        </Link>
      </div>
    </div>
  )
}

const WithdrawalOfReceipt = lazy(async () => ({
  default: (await import('#app/withdrawals/cancel-button.tsx')).WithdrawalOfReceipt,
}))
const ReceiptSheet = lazy(async () => ({
  default: (await import('./receipt-sheet.tsx')).ReceiptSheet,
}))

/**
 * The receipt in the address, as a sheet over the screen. Its code is loaded with the first
 * receipt.
 */
function ReceiptFromAddress({ receipt: { id, isOpen, close } }: { receipt: ReceiptAddress }) {
  // The sheet keeps its content during its closing animation.
  const [shown, setShown] = useState(id)
  if (id !== undefined && id !== shown) setShown(id)
  return (
    <Suspense>
      {shown !== undefined && (
        <ReceiptSheet key={shown} id={shown} open={isOpen} onClose={close}>
          <Suspense>
            <Cancel id={shown} />
          </Suspense>
        </ReceiptSheet>
      )}
    </Suspense>
  )
}

function Cancel({ id }: { id: string }) {
  const withdrawal = useTransactionReceipt(id).data?.withdrawal
  return withdrawal?.cancelable ? <WithdrawalOfReceipt id={withdrawal.id} /> : null
}

function FilterBar({
  filters,
  onChange,
}: {
  filters: Filters
  onChange: (changed: Partial<Filters>) => void
}) {
  const { bot, from, to } = filters
  const [open, setOpen] = useState(false)
  const isOpen = open || bot !== '' || from !== '' || to !== ''
  // Hiding the filters clears them, because hidden filters would mislead.
  const toggle = () => {
    setOpen(!isOpen)
    if (isOpen) onChange({ bot: '', from: '', to: '' })
  }
  return (
    <search className="flex flex-wrap items-end gap-x-2 gap-y-3 px-5 pt-3">
      <SearchField q={filters.q} onChange={(q) => onChange({ q })} />
      <IconButton
        icon={SlidersHorizontal}
        label={t('More filters')}
        aria-expanded={isOpen}
        aria-controls="more-filters"
        className="lg:hidden"
        onClick={toggle}
      />
      <div
        id="more-filters"
        className={
          `${isOpen ? 'grid' : 'hidden'} w-full grid-cols-2 gap-x-2 gap-y-3 lg:grid lg:w-auto ` +
          'lg:grid-cols-[12rem_10rem_10rem]'
        }
      >
        <div className="col-span-2 lg:col-span-1">
          <BotField bot={bot} onChange={(next) => onChange({ bot: next })} />
        </div>
        <DayField label={t('From')} day={from} onChange={(next) => onChange({ from: next })} />
        <DayField label={t('To|until')} day={to} onChange={(next) => onChange({ to: next })} />
      </div>
    </search>
  )
}

const TYPING_MS = 300

const isTooLong = (text: string): boolean => text.trim().length > MAX_SEARCH

/**
 * After a pause in typing, the text is written to the address. If the address changes otherwise,
 * for example by Back, the field shows the text in the address.
 */
function SearchField({ q, onChange }: { q: string; onChange: (q: string) => void }) {
  const [typed, setTyped] = useState(q)
  const [sent, setSent] = useState(q)
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined)
  if (q !== sent) {
    setSent(q)
    if (q !== typed.trim()) setTyped(q)
  }
  const type = (text: string) => {
    setTyped(text)
    clearTimeout(pause.current)
    if (!isTooLong(text)) pause.current = setTimeout(() => onChange(text.trim()), TYPING_MS)
  }
  useEffect(() => () => clearTimeout(pause.current), [])
  const error = isTooLong(typed)
    ? sentenceOf({ code: 'text-too-long', values: { maximum: String(MAX_SEARCH) } })
    : undefined
  return (
    <div className="relative min-w-[min(100%,12rem)] flex-1">
      <Search
        size={20}
        aria-hidden="true"
        className="pointer-events-none absolute top-4 left-4 text-ink3"
      />
      <input
        type="search"
        aria-label={t('Search')}
        placeholder={t('Bot or coin…')}
        aria-invalid={error !== undefined}
        aria-describedby={error && 'search-error'}
        value={typed}
        onChange={(event) => type(event.target.value)}
        className={`${INPUT_STYLE} pl-11`}
      />
      <FieldError id="search-error" error={error} className="mt-1.5" />
    </div>
  )
}

function BotField({ bot, onChange }: { bot: string; onChange: (bot: string) => void }) {
  const bots = useAnswer(['listBots'], {}).data ?? []
  const chosen = bots.find(({ id }) => id === bot)
  const shown = bot === '' ? t('All bots') : (chosen?.name ?? t('A closed bot'))
  return (
    <Field label={t('Bot')}>
      {(wiring) => (
        <WholeSelect
          {...wiring}
          shown={shown}
          value={bot}
          onChange={(event) => onChange(event.target.value)}
        >
          <option value="">{t('All bots')}</option>
          {bot !== '' && !chosen && <option value={bot}>{shown}</option>}
          {bots.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </WholeSelect>
      )}
    </Field>
  )
}

function DayField({
  label,
  day,
  onChange,
}: {
  label: string
  day: string
  onChange: (day: string) => void
}) {
  return (
    <Field label={label}>
      {(wiring) => (
        <input
          {...wiring}
          type="date"
          min="1970-01-01"
          max="2999-12-31"
          value={day}
          onChange={(event) => onChange(event.target.value)}
          className={INPUT_STYLE}
        />
      )}
    </Field>
  )
}
