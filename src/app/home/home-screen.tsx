import { lazy, Suspense } from 'react'
import { screens } from '#contract/screens.ts'
import { say, t } from '#words/words.ts'
import { shownPortfolio, type PortfolioResult } from '#app/api/portfolio.ts'
import { usePortfolio, useUser } from '#app/api/queries.ts'
import { useReceiptAddress } from '#app/history/receipt-address.ts'
import { Bell } from '#app/shell/bell.tsx'
import { LinkButton } from '#app/ui/buttons/button.tsx'
import { Section, Skeleton } from '#app/ui/frame/section.tsx'
import { isPositiveAmount } from '#app/ui/money/amount-text.ts'
import { ActiveBots, idleText } from './active-bots.tsx'
import { BalancePanel } from './balance-panel.tsx'
import { FirstSteps } from './first-steps.tsx'
import { MarketOverview } from './market-overview.tsx'

const ReceiptAtAddress = lazy(async () => ({
  default: (await import('./receipt-at-address.tsx')).ReceiptAtAddress,
}))

/** Balance and bots are from one response, so that they are consistent. */
export function HomeScreen() {
  const user = useUser().data
  const portfolio = usePortfolio()
  const shown = shownPortfolio(portfolio)
  const isLoading = portfolio.isLoading
  const receipt = useReceiptAddress()
  if (!user) return null
  const step = shown?.firstStep
  const expectsNoBot = isLoading && !isPositiveAmount(user.investedBalance)
  return (
    <>
      <title>{`${say(screens.home.title)} · Trading Bot`}</title>
      <Greeting
        name={user.firstName || user.username || t('Trader')}
        idle={shown ? idleText(shown.bots) : expectsNoBot ? '' : undefined}
      />
      <div className="lg:grid lg:grid-cols-[2fr_1fr] lg:items-start">
        <div className="lg:sticky lg:top-4">
          <BalancePanel
            user={user}
            isChartless={expectsNoBot || step === 'deposit' || step === 'bot'}
            portfolio={portfolio}
          />
          <NextSteps portfolio={portfolio} />
        </div>
        <div className={`min-w-0 ${isLoading ? 'max-lg:hidden' : ''}`}>
          <ActiveBots portfolio={portfolio} rows={expectsNoBot ? 0 : 2} />
          <MarketOverview />
        </div>
      </div>
      <Suspense>
        {receipt.id !== undefined && (
          <ReceiptAtAddress
            key={receipt.id}
            id={receipt.id}
            open={receipt.isOpen}
            onClose={receipt.close}
          />
        )}
      </Suspense>
    </>
  )
}

/** The greeting. `idle`: a line below it if no bot is active; empty text reserves its space. */
function Greeting({ name, idle }: { name: string; idle: string | undefined }) {
  return (
    <header className="flex items-start justify-between gap-x-3 pt-4 pr-3 pl-5">
      <div className="min-w-0">
        <h1 className="text-17 font-semibold wrap-anywhere">
          {t('Welcome back, {name}', { name })}
        </h1>
        <p className="text-16 text-ink2">{t('Your bots are working hard')}</p>
        {idle !== undefined && <p className="min-h-5 text-14 font-medium text-ink">{idle}</p>}
      </div>
      <Bell />
    </header>
  )
}

/**
 * The first steps, if the portfolio requires them. Until it arrives, phones show a placeholder as
 * the end of the screen, so that nothing moves.
 */
function NextSteps({ portfolio }: { portfolio: PortfolioResult }) {
  if (portfolio.isLoading) return <Skeleton className="mx-5 mt-6 h-72" />
  const shown = shownPortfolio(portfolio)
  return (
    <>
      <FirstSteps portfolio={shown} />
      <QuickActions isFirst={shown?.firstStep !== 'deposit' && shown?.firstStep !== 'bot'} />
    </>
  )
}

function QuickActions({ isFirst }: { isFirst: boolean }) {
  return (
    <Section title={t('Quick Actions')}>
      <div className="flex flex-wrap gap-3">
        <LinkButton href="/deposit" look={isFirst ? 'primary' : 'outline'} className="flex-1">
          {t('Deposit|verb')}
        </LinkButton>
        <LinkButton href="/withdraw" look="outline" className="flex-1">
          {t('Withdraw')}
        </LinkButton>
      </div>
    </Section>
  )
}
