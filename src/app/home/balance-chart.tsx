import type { ReactNode } from 'react'
import { useMarketTime } from '#app/market/market-time.ts'
import { useConfig, type PortfolioResult, type Range } from '#app/api/queries.ts'
import { LineChart } from '#app/ui/charts/line-chart.tsx'
import { LoadProblem } from '#app/ui/frame/load-problem.tsx'
import { Skeleton } from '#app/ui/frame/skeleton.tsx'
import { Tabs } from '#app/ui/frame/tabs.tsx'
import { Change } from '#app/ui/money/change.tsx'

const RANGES = (['1D', '1W', '1M', '1Y', 'All'] as const).map((value) => ({ value, text: value }))

type Props = { hidden: boolean; portfolio: PortfolioResult; range: Range; onRange: (range: Range) => void }

export function BalanceChart({ hidden, portfolio, range, onRange }: Props) {
  return (
    <>
      <div id="balance-chart" className="min-h-50">
        {hidden ? <div className="pt-6"><div className="hatch h-44" /></div> : <Curve portfolio={portfolio} />}
      </div>
      <div className="px-3">
        <Tabs label="Time range" options={RANGES} value={range} onChange={onRange} panelId="balance-chart" />
      </div>
    </>
  )
}

function Curve({ portfolio }: { portfolio: PortfolioResult }) {
  const time = useMarketTime()
  const isFast = (useConfig().data?.feed.speed ?? 1) > 1
  if (portfolio.isError) {
    return (
      <div className="grid h-50 content-center px-5">
        <LoadProblem message="Unable to load the history" onRetry={() => void portfolio.refetch()} />
      </div>
    )
  }
  if (!portfolio.data) return <ChartSkeleton />
  const { curve, dailyChange } = portfolio.data
  const change = (
    <p className="flex items-baseline gap-1.5 text-16 font-medium">
      <Change amount={dailyChange.amount} percent={dailyChange.percent} />
      <span className="text-14 font-normal text-ink2">{isFast ? 'past 24 h (market time)' : 'past 24 h'}</span>
    </p>
  )
  if (curve.length < 2) return <NoCurve>{change}</NoCurve>
  return (
    <LineChart name="Total Balance" curve={curve} time={time}>
      {change}
    </LineChart>
  )
}

function NoCurve({ children }: { children: ReactNode }) {
  return (
    <div className="h-50">
      <div className="px-5">{children}</div>
      <div className="mt-20 border-t-2 border-dotted border-control" />
      <p className="px-5 pt-2 text-14 text-ink2">Your balance chart will start here.</p>
    </div>
  )
}

function ChartSkeleton() {
  return (
    <div className="h-50">
      <Skeleton className="mx-5 mt-0.5 h-5 w-44" />
      <div className="mt-20 border-t-2 border-dotted border-control" />
    </div>
  )
}
