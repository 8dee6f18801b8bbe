import { useState } from 'react'
import { usePortfolio, useUser, type Range } from '#app/api/queries.ts'
import { PaperStamp } from '#app/shell/paper-stamp.tsx'
import { LinkButton } from '#app/ui/buttons/link-button.tsx'
import { ActiveBots } from './active-bots.tsx'
import { BalancePanel } from './balance-panel.tsx'
import { MarketOverview } from './market-overview.tsx'

/** Balance, change, curve and bots come from one response, so that they cannot contradict each other. */
export function HomeScreen() {
  const user = useUser().data
  const [range, setRange] = useState<Range>('1M')
  const portfolio = usePortfolio(range)
  if (!user) return null
  return (
    <>
      <title>Home · Trading Bot</title>
      <header className="flex items-start justify-between gap-3 px-5 pt-4">
        <div className="min-w-0">
          <h1 className="truncate text-16 text-ink2">Welcome back, {user.firstName || user.username || 'Trader'}</h1>
          <p className="text-16 text-ink2">Your bots are working hard</p>
        </div>
        <PaperStamp />
      </header>
      <BalancePanel user={user} portfolio={portfolio} range={range} onRange={setRange} />
      <QuickActions />
      <ActiveBots portfolio={portfolio} />
      <MarketOverview />
    </>
  )
}

function QuickActions() {
  return (
    <section aria-label="Quick Actions" className="grid grid-cols-2 gap-3 px-5 pt-3">
      <LinkButton href="/deposit">Deposit</LinkButton>
      <LinkButton href="/withdraw" look="outline">
        Withdraw
      </LinkButton>
    </section>
  )
}
