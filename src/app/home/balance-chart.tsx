import { lazy, Suspense } from 'react'
import type { BalanceCurve, MoneyMark } from '#contract/market.ts'
import { RANGE_DAYS, RANGES, WHOLE_RANGE } from '#contract/query-values.ts'
import { DAY_MS } from '#core/market/candle.ts'
import { signOf } from '#core/money/text.ts'
import { moneyText } from '#words/figures.ts'
import { t } from '#words/words.ts'
import { useBalanceCurve, useRange, type Range } from '#app/api/balance-curve.ts'
import { gainOfDay, gainOfRange, lastOf } from '#app/api/curve-to.ts'
import { shownPortfolio, type PortfolioResult } from '#app/api/portfolio.ts'
import { useMarketTime } from '#app/market/market-time.ts'
import { rangeText, usePastDay } from '#app/market/market-text.ts'
import { ResultLine } from '#app/market/result-line.tsx'
import { DottedWord } from '#app/articles/dotted-word.tsx'
import { PaperStamp } from '#app/shell/brand.tsx'
import type { ChartMark } from '#app/ui/charts/chart-marks.tsx'
import { LineChart } from '#app/ui/charts/line-chart.tsx'
import { useDates } from '#app/ui/device/dates.ts'
import { LoadProblem, Skeleton } from '#app/ui/frame/section.tsx'
import { Tabs } from '#app/ui/frame/tabs.tsx'
import { differenceOf, sumOf } from '#app/ui/money/amount-text.ts'
import { Change, hiddenText, Money } from '#app/ui/money/money.tsx'

const DayLine = lazy(async () => ({ default: (await import('./day-line.tsx')).DayLine }))

/**
 * Curve and changes end at the portfolio's worth, so that they are consistent. `isChartless`:
 * before the first bot there is no line, and the next step stays visible.
 */
export function BalanceChart({
  total,
  hidden,
  isChartless,
  portfolio,
}: {
  total: string | undefined
  hidden: boolean
  isChartless: boolean
  portfolio: PortfolioResult
}) {
  const [range, setRange] = useRange()
  const curve = useBalanceCurve(range, shownPortfolio(portfolio))
  const ranges = rangesOf(curve.data)
  const failed = [portfolio, curve].find(({ isError }) => isError)
  if (isChartless)
    return (
      <div className="px-5">
        <Total amount={total} hidden={hidden} />
        <DailyChange curve={curve.data} />
      </div>
    )
  return (
    <>
      <div id="balance-chart">
        {hidden ? (
          <HiddenBalance />
        ) : (
          <Curve total={total} curve={curve.data} failed={failed} ranges={ranges} />
        )}
      </div>
      <div className="flex min-h-12 flex-wrap items-center justify-between gap-x-3 pr-5 pl-3">
        {(curve.data || curve.isError) && ranges.length > 1 && (
          <Tabs
            label={t('Time range')}
            options={ranges.map((value) => ({ value, text: rangeText(value) }))}
            value={shownRange(range, ranges)}
            onChange={setRange}
            panelId="balance-chart"
          />
        )}
        {curve.data && ranges[1] && !failed && !hidden && (
          <span aria-hidden="true" className={curve.isPlaceholderData ? 'invisible' : 'ml-auto'}>
            <Change {...gainOfRange(curve.data)} />
          </span>
        )}
      </div>
      <div className="min-h-18">
        <Suspense>{curve.data && <DayLine curve={curve.data} />}</Suspense>
      </div>
    </>
  )
}

/** Height of the chart and of everything that is shown instead of it. */
const HEIGHT = 'min-h-59'

function HiddenBalance() {
  return (
    <>
      <div className="px-5">
        <Total hidden />
      </div>
      <div className={`pt-6 ${HEIGHT}`}>
        <div className="hatch h-36" />
      </div>
    </>
  )
}

function HiddenTotal() {
  return (
    <p className="text-hero font-semibold">
      <span className="sr-only">{t('Balance hidden')}</span>
      <span aria-hidden="true">{hiddenText()}</span>
    </p>
  )
}

/** The balance with the stamp of its book. */
function Total({ amount, hidden = false }: { amount?: string | undefined; hidden?: boolean }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-3">
      {hidden ? <HiddenTotal /> : <KnownTotal amount={amount} />}
      <Stamp />
    </div>
  )
}

/**
 * Always below the balance on narrow phones, so that one more digit does not move it. Empty in a
 * live book.
 */
function Stamp() {
  return (
    <span className="max-[389px]:basis-full">
      <DottedWord term="paper-money" className="-m-3 p-3 underline-offset-2 empty:hidden">
        <PaperStamp />
      </DottedWord>
    </span>
  )
}

function KnownTotal({ amount }: { amount: string | undefined }) {
  return amount === undefined ? (
    <Skeleton className="h-12 w-48" />
  ) : (
    <Money size="hero" amount={amount} />
  )
}

function Curve({
  total,
  curve,
  failed,
  ranges,
}: {
  total: string | undefined
  curve: BalanceCurve | undefined
  failed: { refetch: () => unknown } | undefined
  ranges: readonly Range[]
}) {
  if (curve && !failed && curve.curve.length > 1)
    return <KnownCurve curve={curve} range={shownRange(curve.range, ranges)} />
  return (
    <>
      <div className="px-5">
        <Total amount={total} />
      </div>
      <div className={HEIGHT}>
        {failed && (
          <div className="grid h-42 content-center px-5">
            <LoadProblem
              message={t('Unable to load the history')}
              onRetry={() => void failed.refetch()}
            />
          </div>
        )}
        {!failed && <NoCurve curve={curve} />}
      </div>
    </>
  )
}

function KnownCurve({ curve, range }: { curve: BalanceCurve; range: Range }) {
  const time = useMarketTime()
  const markText = useMarkText()
  const change = gainOfRange(curve)
  const put = lastOf(curve.withoutTrading)
  const name = range === WHOLE_RANGE ? t('Net deposits') : t('Start + deposits')
  const marks = { name: t('Deposits and withdrawals'), items: curve.moneyMarks.map(markText) }
  const result = signOf(change.amount) < 0 ? t('Loss') : t('Gain')
  const money = (amount: string) => moneyText({ amount })
  const note = `${name}: ${money(put)}. ${result}: ${money(change.amount.replace('-', ''))}.`
  return (
    <LineChart
      name={t('Total Balance')}
      note={note}
      curve={curve.curve}
      time={time}
      baseline={curve.withoutTrading}
      marks={marks}
      hero={lastOf(curve.curve)}
      stamp={<Stamp />}
    >
      <DailyChange curve={curve} />
    </LineChart>
  )
}

/** The text of a mark. Uses the real date, because market time is for trades. */
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

function NoCurve({ curve }: { curve: BalanceCurve | undefined }) {
  return (
    <>
      <div className="flex min-h-6 items-center px-5">
        <DailyChange curve={curve} />
      </div>
      {curve && (
        <p className="px-5 pt-16 text-14 text-ink2">{t('Your balance chart will start here.')}</p>
      )}
    </>
  )
}

function DailyChange({ curve }: { curve: BalanceCurve | undefined }) {
  const span = usePastDay()
  if (!curve) return <Skeleton className="my-0.5 h-5 w-44" />
  return (
    <ResultLine {...gainOfDay(curve)} firstFees={feesOfFirstDay(curve)}>
      <span className="text-14 font-normal text-ink2">{span}</span>
    </ResultLine>
  )
}

/**
 * Trading fees of the user's first day with trades, undefined after it. Rounded up like all paid
 * fees: a sum below zero is floored.
 */
export function feesOfFirstDay({ day, dayTrades, firstTradeAt }: BalanceCurve): string | undefined {
  if (firstTradeAt === null || firstTradeAt <= (day[0]?.at ?? '')) return undefined
  return differenceOf('0', sumOf(...dayTrades.map(({ fee }) => `-${fee}`)))
}

/**
 * Ranges shorter than the account's age; longer ones would equal 'All'. All ranges if the age is
 * unknown.
 */
export function rangesOf(known: Pick<BalanceCurve, 'since' | 'curve'> | undefined): Range[] {
  const ageMs = Date.parse(known?.curve.at(-1)?.at ?? '') - Date.parse(known?.since ?? '')
  return RANGES.filter((range) => range === WHOLE_RANGE || !(RANGE_DAYS[range] * DAY_MS > ageMs))
}

export const shownRange = (range: Range, ranges: readonly Range[]): Range =>
  ranges.includes(range) ? range : WHOLE_RANGE
