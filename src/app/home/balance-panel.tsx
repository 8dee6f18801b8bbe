import { lazy, Suspense, useState } from 'react'
import type { Balances } from '#contract/wire.ts'
import { t } from '#words/words.ts'
import { knownBalances, type PortfolioResult } from '#app/api/portfolio.ts'
import { Button, IconButton } from '#app/ui/buttons/button.tsx'
import { useHiddenBalance } from '#app/ui/device/hidden-balance.ts'
import { Eye, EyeOff } from '#app/ui/frame/icons.ts'
import { BalanceChart } from './balance-chart.tsx'

const BalanceReceipt = lazy(async () => ({
  default: (await import('./balance-receipt.tsx')).BalanceReceipt,
}))

/**
 * Until the portfolio has loaded, a balance without money in bots is shown from the user's data. It
 * cannot contradict the chart, which is not shown yet.
 */
export function BalancePanel({
  user,
  portfolio,
  isChartless,
}: {
  user: Balances
  portfolio: PortfolioResult
  isChartless: boolean
}) {
  const balances = knownBalances(portfolio, user)
  const { hidden, toggle } = useHiddenBalance()
  const isEmpty = balances?.totalBalance === '0.00'
  const [receipt, setReceipt] = useState<'never' | 'open' | 'closed'>('never')
  return (
    <section aria-labelledby="total-balance" className="pt-3">
      <div className="flex min-h-13 flex-wrap items-center pr-3 pl-5">
        <h2 id="total-balance" className="mr-1 text-16 text-ink2">
          {t('Total Balance')}
        </h2>
        {!isEmpty && (
          <IconButton
            icon={hidden ? EyeOff : Eye}
            label={hidden ? t('Show balance') : t('Hide balance')}
            onClick={toggle}
          />
        )}
        {!isEmpty && (
          <Button
            look="quiet"
            className="ml-auto"
            aria-label={t('Balance breakdown')}
            onClick={() => setReceipt('open')}
          >
            {t('Breakdown')}
          </Button>
        )}
      </div>
      <BalanceChart
        total={balances?.totalBalance}
        hidden={hidden}
        isChartless={isChartless}
        portfolio={portfolio}
      />
      {receipt !== 'never' && balances && (
        <Suspense>
          <BalanceReceipt
            balances={balances}
            open={receipt === 'open'}
            onClose={() => setReceipt('closed')}
          />
        </Suspense>
      )}
    </section>
  )
}
