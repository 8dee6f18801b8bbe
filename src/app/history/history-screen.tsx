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
      <PageHeader
        title="Transaction History"
        action={
          <a href={plainRoutes.statement} download aria-label="Statement (CSV)" className="grid size-12 place-items-center rounded-control text-ink2 hover:bg-raised">
            <Download size={24} strokeWidth={1.75} aria-hidden="true" />
          </a>
        }
      />
      <div className="overflow-x-auto px-2">
        <Tabs label="Filter" options={FILTERS} value={filter} onChange={setFilter} panelId="transactions" />
      </div>
      <div id="transactions" role="tabpanel" aria-label="Transactions" className="px-5 pt-2">
        <TransactionList key={filter} type={filter === 'all' ? undefined : filter} />
      </div>
    </>
  )
}
