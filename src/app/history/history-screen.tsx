import { useState } from 'react'
import { plainRoutes } from '#contract/routes.ts'
import { PageHeader } from '#app/shell/page-header.tsx'
import { DownloadLink } from '#app/ui/buttons/download-link.tsx'
import { Tabs } from '#app/ui/frame/tabs.tsx'
import { TransactionList } from './transaction-list.tsx'

const FILTERS = [
  { value: 'all', text: 'All' },
  { value: 'deposit', text: 'Deposits' },
  { value: 'trade', text: 'Trades' },
  { value: 'withdrawal', text: 'Withdrawals' },
] as const

export function HistoryScreen() {
  const [filter, setFilter] = useState<(typeof FILTERS)[number]['value']>('all')
  return (
    <>
      <PageHeader screen="history" />
      <div className="overflow-x-auto px-2">
        <Tabs label="Filter" options={FILTERS} value={filter} onChange={setFilter} panelId="transactions" />
      </div>
      <div className="flex flex-wrap items-center justify-between gap-x-4 px-5 pt-2 text-14 text-ink2">
        Newest first
        <div className="flex flex-wrap gap-x-4">
          <DownloadLink href={plainRoutes.statement}>Statement (CSV)</DownloadLink>
          <DownloadLink href={plainRoutes.trades}>Download trades (CSV)</DownloadLink>
        </div>
      </div>
      <div id="transactions" role="tabpanel" aria-label="Transactions" className="px-5">
        <TransactionList key={filter} type={filter === 'all' ? undefined : filter} />
      </div>
    </>
  )
}
