import { plainRoutes } from '#contract/routes.ts'
import { msg, say, t } from '#words/words.ts'
import { PageHeader } from '#app/shell/page-header.tsx'
import { DownloadLink } from '#app/ui/buttons/download-link.tsx'
import { useSearchParams } from '#app/ui/frame/address.ts'
import { Tabs } from '#app/ui/frame/tabs.tsx'
import { FilterBar } from './filter-bar.tsx'
import {
  exportQuery,
  filtersText,
  NO_FILTERS,
  readFilters,
  withFilters,
  type Filters,
} from './filters.ts'
import { ReceiptFromAddress } from './receipt-from-address.tsx'
import { useReceiptAddress } from './receipt-address.ts'
import { TransactionList } from './transaction-list.tsx'

const TYPES = [
  { value: 'all', text: msg('All') },
  { value: 'deposit', text: msg('Deposits') },
  { value: 'trade', text: msg('Trades') },
  { value: 'withdrawal', text: msg('Withdrawals') },
  { value: 'transfer', text: msg('Transfers') },
] as const

/**
 * Filters and the open receipt are in the address: they survive a reload, can be shared, and Back
 * returns to them.
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
      <div className="flex flex-wrap items-center justify-between gap-x-4 px-5 pt-2 text-14 text-ink2">
        {t('Newest first')}
        <div className="flex flex-wrap gap-x-4">
          <DownloadLink href={plainRoutes.statement + exportQuery(filters)}>
            {t('Statement (CSV)')}
          </DownloadLink>
          <DownloadLink href={plainRoutes.trades + exportQuery(filters)}>
            {t('Download trades (CSV)')}
          </DownloadLink>
        </div>
      </div>
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
