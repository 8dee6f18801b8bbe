import type { ReactNode } from 'react'
import type { MoneyMark, Portfolio } from '#contract/market.ts'
import { RANGES, WHOLE_RANGE } from '#contract/query-values.ts'
import { DAY_MS } from '#core/market/candle.ts'
import { signOf } from '#core/money/text.ts'
import { moneyText } from '#words/figures.ts'
import { msg, say, t } from '#words/words.ts'
import type { PortfolioResult, Range } from '#app/api/portfolio.ts'
import { useMarketTime } from '#app/market/market-time.ts'
import { rangeText, usePastDay } from '#app/market/market-text.ts'
import type { ChartMark } from '#app/ui/charts/chart-marks.tsx'
import { LineChart } from '#app/ui/charts/line-chart.tsx'
import { useDates } from '#app/ui/device/dates.ts'
import { LoadProblem, Skeleton } from '#app/ui/frame/section.tsx'
import { Tabs } from '#app/ui/frame/tabs.tsx'
import { Change, hiddenText, Money } from '#app/ui/money/money.tsx'

export function BalanceChart({
  total,
  hidden,
  portfolio,
  range,
  onRange,
}: {
  total: string | undefined
  hidden: boolean
  portfolio: PortfolioResult
  range: Range
  onRange: (range: Range) => void
}) {
  const { data, isError, isFetching } = portfolio
  const options = rangeOptions(data)
  const shown = shownRange(range, options)
  const isMissing = isError || (data !== undefined && data.range !== range && !isFetching)
  return (
    <>
      <div id="balance-chart">
        {hidden ? (
          <HiddenBalance />
        ) : (
          <Curve total={total} portfolio={portfolio} range={shown} isMissing={isMissing} />
        )}
      </div>
      <div className="px-3">
        <Tabs
          label={t('Time range')}
          options={options}
          value={shown}
          onChange={onRange}
          panelId="balance-chart"
        />
      </div>
    </>
  )
}

/** As high as the chart, like everything that stands in its place. */
const HEIGHT = 'min-h-67'

function HiddenBalance() {
  return (
    <>
      <p className="px-5 text-hero font-semibold">
        <span className="sr-only">{t('Balance hidden')}</span>
        <span aria-hidden="true">{hiddenText()}</span>
      </p>
      <div className={`pt-6 ${HEIGHT}`}>
        <div className="hatch h-44" />
      </div>
    </>
  )
}

function Curve({
  total,
  portfolio,
  range,
  isMissing,
}: {
  total: string | undefined
  portfolio: PortfolioResult
  range: Range
  isMissing: boolean
}) {
  if (portfolio.data && !isMissing && portfolio.data.curve.length > 1)
    return <KnownCurve portfolio={portfolio.data} range={range} />
  return (
    <>
      <div className="px-5">
        {total === undefined ? (
          <Skeleton className="h-12 w-48" />
        ) : (
          <Money size="hero" amount={total} />
        )}
      </div>
      <div className={HEIGHT}>
        {isMissing && (
          <div className="grid h-50 content-center px-5">
            <LoadProblem
              message={t('Unable to load the history')}
              onRetry={() => void portfolio.refetch()}
            />
          </div>
        )}
        {!isMissing &&
          (portfolio.data ? <NoCurve portfolio={portfolio.data} /> : <ChartSkeleton />)}
      </div>
    </>
  )
}

function KnownCurve({ portfolio, range }: { portfolio: Portfolio; range: Range }) {
  const time = useMarketTime()
  const markText = useMarkText()
  const { curve, withoutTrading, moneyMarks, totalBalance, change } = portfolio
  const put = withoutTrading.at(-1)?.value ?? '0'
  const name = range === WHOLE_RANGE ? t('Net deposits') : t('Start + deposits')
  const marks = { name: t('Deposits and withdrawals'), items: moneyMarks.map(markText) }
  const note = `${name}: ${moneyText({ amount: put })}.`
  const legend = (
    <dl className="grid min-h-12 content-center text-14 text-ink2">
      <Line name={name} swatch="border-t-2 border-dotted border-ink3">
        <Money amount={put} />
      </Line>
      <Line name={resultName(range, signOf(change.amount) < 0)}>
        <Change amount={change.amount} percent={change.percent} />
      </Line>
    </dl>
  )
  return (
    <LineChart
      name={t('Total Balance')}
      note={note}
      curve={curve}
      time={time}
      baseline={withoutTrading}
      marks={marks}
      hero={totalBalance}
      legend={legend}
    >
      <DailyChange change={portfolio.dailyChange} />
    </LineChart>
  )
}

function resultName(range: Range, isLoss: boolean): string {
  if (range === WHOLE_RANGE) return isLoss ? t('Total loss') : t('Total gain')
  return t(isLoss ? 'Loss in {range}' : 'Gain in {range}', { range: rangeText(range) })
}

function Line({
  name,
  swatch = '',
  children,
}: {
  name: string
  swatch?: string
  children: ReactNode
}) {
  return (
    <div className="flex flex-wrap items-center gap-x-2">
      <dt className="flex items-center gap-x-2">
        <span aria-hidden="true" className={`w-5 ${swatch}`} />
        {name}
      </dt>
      <dd>{children}</dd>
    </div>
  )
}

/** The real date: the market's time is for trades. */
function useMarkText(): (mark: MoneyMark) => ChartMark {
  const { dayText } = useDates()
  return ({ at, count, amount, latest }) => {
    const money = moneyText({ amount, sign: 'always' })
    if (count > 1 || latest === null)
      return {
        at,
        sign: String(count),
        text: t('{count} deposits and withdrawals: {money} in total', { count, money }),
        href: '/history',
      }
    const text = `${latest.description}: ${money}, ${dayText(latest.createdAt)}`
    return { at, sign: signOf(amount) < 0 ? '−' : '+', text, href: `/history?receipt=${latest.id}` }
  }
}

function NoCurve({ portfolio }: { portfolio: Portfolio }) {
  return (
    <>
      <div className="flex min-h-6 items-center px-5">
        <DailyChange change={portfolio.dailyChange} />
      </div>
      <div className="mt-20 border-t-2 border-dotted border-control" />
      <p className="px-5 pt-2 text-14 text-ink2">{t('Your balance chart will start here.')}</p>
    </>
  )
}

function ChartSkeleton() {
  return (
    <>
      <div className="flex min-h-6 items-center px-5">
        <Skeleton className="h-5 w-44" />
      </div>
      <div className="mt-20 border-t-2 border-dotted border-control" />
    </>
  )
}

export function DailyChange({ change }: { change: Portfolio['dailyChange'] }) {
  return (
    <p className="flex flex-wrap items-baseline gap-x-1.5 text-16 font-medium">
      <Change amount={change.amount} percent={change.percent} />
      <span className="text-14 font-normal text-ink2">{usePastDay()}</span>
    </p>
  )
}

const LIMITS: Partial<Record<Range, { days: number; reason: string }>> = {
  '1D': { days: 1, reason: msg('For accounts older than a day') },
  '1W': { days: 7, reason: msg('For accounts older than a week') },
  '1M': { days: 30, reason: msg('For accounts older than a month') },
  '1Y': { days: 365, reason: msg('For accounts older than a year') },
}

type RangeOption = { value: Range; text: string; disabled: string | undefined }

/**
 * A range longer than the account's age would show the same as 'All'. Before the portfolio is
 * known, all can be chosen.
 */
export function rangeOptions(
  portfolio: Pick<Portfolio, 'since' | 'curve'> | undefined,
): RangeOption[] {
  const now = portfolio?.curve.at(-1)?.at
  const ageDays =
    portfolio && now !== undefined
      ? (Date.parse(now) - Date.parse(portfolio.since)) / DAY_MS
      : Number.POSITIVE_INFINITY
  return RANGES.map((value) => {
    const limit = LIMITS[value]
    return {
      value,
      text: rangeText(value),
      disabled: limit && limit.days > ageDays ? say(limit.reason) : undefined,
    }
  })
}

export function shownRange(range: Range, options: readonly RangeOption[]): Range {
  return options.find(({ value }) => value === range)?.disabled === undefined ? range : WHOLE_RANGE
}
