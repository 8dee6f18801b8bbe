import { useState } from 'react'
import { Download } from 'lucide-react'
import { plainRoutes } from '#contract/routes.ts'
import { PageHeader } from '../ui/page-header.tsx'
import { Tabs } from '../ui/tabs.tsx'
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
      <PageHeader title="Transaction History" />
      <div className="overflow-x-auto px-2">
        <Tabs label="Filter" options={FILTERS} value={filter} onChange={setFilter} panelId="transactions" />
      </div>
      <div className="flex items-center justify-between px-5 text-14 text-ink2">
        Newest first
        <a href={plainRoutes.statement} download className="-mr-2 inline-flex min-h-12 items-center gap-1.5 px-2 font-semibold text-accent">
          <Download size={18} aria-hidden="true" /> Statement (CSV)
        </a>
      </div>
      <div id="transactions" role="tabpanel" aria-label="Transactions" className="px-5">
        <TransactionList key={filter} type={filter === 'all' ? undefined : filter} />
      </div>
    </>
  )
}
