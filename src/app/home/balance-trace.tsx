import { useState } from 'react'
import { useConfig, usePortfolio, type Range } from '../api/queries.ts'
import { Change } from '../ui/change.tsx'
import { LineChart } from '../ui/line-chart.tsx'
import { LoadProblem } from '../ui/load-problem.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Tabs } from '../ui/tabs.tsx'

const RANGES = (['1D', '1W', '1M', '1Y', 'All'] as const).map((value) => ({ value, text: value }))

export function BalanceTrace({ hidden }: { hidden: boolean }) {
  const [range, setRange] = useState<Range>('1M')
  return (
    <>
      <div id="balance-trace" className="min-h-50">
        {hidden ? <div className="hatch mt-6 h-44" /> : <Trace range={range} />}
      </div>
      <div className="px-3">
        <Tabs label="Time range" options={RANGES} value={range} onChange={setRange} panelId="balance-trace" />
      </div>
    </>
  )
}

function Trace({ range }: { range: Range }) {
  const portfolio = usePortfolio(range)
  const hurried = (useConfig().data?.feed.speed ?? 1) > 1
  if (portfolio.isError) {
    return (
      <div className="grid h-50 content-center px-5">
        <LoadProblem message="Unable to load the balance's history" onRetry={() => void portfolio.refetch()} />
      </div>
    )
  }
  if (!portfolio.data) return <TraceSkeleton />
  const { curve, dailyChange } = portfolio.data
  return (
    <LineChart name="Total Balance" curve={curve}>
      <p className="flex items-baseline gap-1.5 text-16 font-medium">
        <Change amount={dailyChange.amount} percent={dailyChange.percent} />
        <span className="text-14 font-normal text-ink2">{hurried ? '24 market hours' : 'today'}</span>
      </p>
    </LineChart>
  )
}

function TraceSkeleton() {
  return (
    <div className="h-50">
      <Skeleton className="mx-5 mt-0.5 h-5 w-44" />
      <div className="mt-20 border-t-2 border-dotted border-control" />
    </div>
  )
}
