import type { ReactNode } from 'react'
import type { WeekResult } from '#contract/week.ts'
import { say, t } from '#words/words.ts'
import { useVisited } from '#app/api/use-visited.ts'
import { MarketMark } from '#app/market/market-mark.tsx'
import { Months } from '#app/market/months.tsx'
import { useMarketTime } from '#app/market/market-time.ts'
import { ShareDoor } from '#app/market/share-door.tsx'
import { CHANCE } from '#app/market/share-lines.ts'
import { ResultSentence } from '#app/market/result-sentence.tsx'
import { PageHeader } from '#app/shell/page-header.tsx'
import { Link } from '#app/ui/frame/link.tsx'
import { LoadProblem, Skeleton } from '#app/ui/frame/section.tsx'
import { Change, Money } from '#app/ui/money/money.tsx'
import { Trans } from '#app/ui/words/trans.tsx'

export function WeekScreen() {
  const { data, isError, refetch } = useVisited(['getWeek'], {})
  return (
    <>
      <PageHeader screen="week" backTo="/" />
      {isError && (
        <div className="px-5 pt-4">
          <LoadProblem message={t('Unable to load your week')} onRetry={() => void refetch()} />
        </div>
      )}
      {!data && !isError && <Skeleton className="mx-5 mt-6 h-120" />}
      {data && !isError && <Figures week={data} />}
    </>
  )
}

function Figures({ week }: { week: WeekResult }) {
  const { momentText } = useMarketTime()
  const { from, to, trades, result, tradingFees } = week
  const moments = t('From {start} to {end}', { start: momentText(from), end: momentText(to) })
  return (
    <div className="px-5 pb-4">
      <MarketMark />
      <p className="pt-2 text-14 text-ink2">{moments}</p>
      <p className="max-w-page pt-1 text-20 text-pretty">
        <ResultSentence trades={trades} result={result} fees={tradingFees} />
      </p>
      <Cards week={week} />
      <Months months={week.months} />
      <div className="max-w-page pt-6">
        <ShareDoor shared={{ kind: 'week', week, moments }} />
      </div>
      <p className="max-w-page pt-6 text-14 text-pretty text-ink2">{say(CHANCE)}</p>
    </div>
  )
}

function Cards({ week }: { week: WeekResult }) {
  const { result, tradingFees, platformFees } = week
  const noSale = t('No sale in these days.')
  return (
    <ul className="grid gap-3 pt-6 sm:grid-cols-2 lg:grid-cols-3">
      <Card
        title={t('Result')}
        value={<Change amount={result} percent={week.percent} />}
        note={t('After all fees. Deposits and withdrawals do not count.')}
      />
      <SaleCard title={t('Best trade')} sale={week.best} missing={noSale} />
      <SaleCard
        title={t('Worst trade')}
        sale={week.worst}
        missing={week.best ? t('There was one sale only.') : noSale}
      />
      <Card
        title={t('Trading fees')}
        value={<Money amount={tradingFees} />}
        note={
          <Trans
            message="Platform fee on profit taken out: {fee}"
            fee={<Money amount={platformFees} />}
          />
        }
      />
      <Card
        title={t('Beside holding')}
        value={week.holding === null ? '–' : <Change amount={week.holding} />}
        note={
          week.holding === null
            ? t('No money was in bots.')
            : t(
                'Hypothetical: the same money in the same coins, bought at the ' +
                  "week's start or when you invested it.",
              )
        }
      />
    </ul>
  )
}

/** A figure with its title and note, in the same type for losses and gains. */
function Card({ title, value, note }: { title: string; value: ReactNode; note: ReactNode }) {
  return (
    <li className="flex flex-col gap-1 rounded-sheet bg-raised px-4 py-3">
      <h2 className="text-16 font-medium text-ink2">{title}</h2>
      <p className="text-20 font-semibold">{value}</p>
      <p className="text-14 text-pretty text-ink2">{note}</p>
    </li>
  )
}

function SaleCard({
  title,
  sale,
  missing,
}: {
  title: string
  sale: WeekResult['best']
  missing: string
}) {
  const { momentText } = useMarketTime()
  if (sale === null) return <Card title={title} value="–" note={missing} />
  return (
    <Card
      title={title}
      value={<Change amount={sale.profit} />}
      note={
        <Link
          href={`/history?receipt=${sale.id}`}
          className="inline-flex min-h-12 items-center font-semibold text-accent"
        >
          {t('Sold {coin}, {time}', { coin: sale.coin, time: momentText(sale.at) })}
        </Link>
      }
    />
  )
}
