import { lazy, Suspense, useState } from 'react'
import { shownPortfolio, usePortfolio, useUser, type Range } from '#app/api/queries.ts'
import { idleText } from '#app/bots/bot-groups.ts'
import { PaperStamp } from '#app/shell/paper-stamp.tsx'
import { LinkButton } from '#app/ui/buttons/link-button.tsx'
import { Section } from '#app/ui/frame/section.tsx'
import { useReceiptAddress } from '#app/history/receipt-address.ts'
import { ActiveBots } from './active-bots.tsx'
import { BalancePanel } from './balance-panel.tsx'
import { MarketOverview } from './market-overview.tsx'

const ReceiptAtAddress = lazy(async () => ({ default: (await import('./receipt-at-address.tsx')).ReceiptAtAddress }))

/** Balance, change, curve and bots come from one response, so that they cannot contradict each other. */
export function HomeScreen() {
  const user = useUser().data
  const [range, setRange] = useState<Range>('1M')
  const portfolio = usePortfolio(range)
  const bots = shownPortfolio(portfolio)?.bots
  const idle = bots && idleText(bots)
  const receipt = useReceiptAddress()
  if (!user) return null
  return (
    <>
      <title>Home · Trading Bot</title>
      <header className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1 px-5 pt-4">
        <div className="min-w-0">
          <h1 className="text-16 text-ink2 wrap-anywhere">Welcome back, {user.firstName || user.username || 'Trader'}</h1>
          <p className="text-16 text-ink2">Your bots are working hard</p>
          {idle !== undefined && <p className="text-16 font-medium text-ink">{idle}</p>}
        </div>
        <PaperStamp />
      </header>
      <BalancePanel user={user} portfolio={portfolio} range={range} onRange={setRange} />
      <QuickActions />
      <ActiveBots portfolio={portfolio} />
      <MarketOverview />
      <Suspense>{receipt.id !== undefined && <ReceiptAtAddress key={receipt.id} id={receipt.id} open={receipt.isOpen} onClose={receipt.close} />}</Suspense>
    </>
  )
}

function QuickActions() {
  return (
    <Section title="Quick Actions">
      <div className="flex flex-wrap gap-3">
        <LinkButton href="/deposit" className="flex-1">
          Deposit
        </LinkButton>
        <LinkButton href="/withdraw" look="outline" className="flex-1">
          Withdraw
        </LinkButton>
      </div>
    </Section>
  )
}
