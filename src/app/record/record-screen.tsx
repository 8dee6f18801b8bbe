import type { TrackRecord } from '#contract/track-record.ts'
import { t } from '#words/words.ts'
import { useAnswer, useConfig } from '#app/api/queries.ts'
import { MarketMark } from '#app/market/market-mark.tsx'
import { useMarketTime } from '#app/market/market-time.ts'
import { PageHeader } from '#app/shell/page-header.tsx'
import { Button } from '#app/ui/buttons/button.tsx'
import { LoadProblem } from '#app/ui/frame/load-problem.tsx'
import { Skeleton } from '#app/ui/frame/skeleton.tsx'
import { RecordNotes } from './record-notes.tsx'
import { StrategySection } from './strategy-section.tsx'

/**
 * The results that every strategy really gave here, beside the backtest of the same time. Public.
 */
export function RecordScreen() {
  const { data, isError, refetch } = useAnswer(['getTrackRecord'], {})
  return (
    <>
      <PageHeader screen="trackRecord" backTo="/" />
      {isError && (
        <div className="px-5 pt-4">
          <LoadProblem
            message={t('The track record could not be loaded.')}
            onRetry={() => void refetch()}
          />
        </div>
      )}
      {!data && !isError && <Skeleton className="mx-5 mt-6 h-96" />}
      {data?.state === 'figures' && !isError && <Figures record={data} />}
      {data && data.state !== 'figures' && !isError && (
        <div className="flex max-w-page flex-col gap-5 px-5 pt-4">
          <h2 className="text-28 font-semibold tracking-[-0.01em] text-balance">{data.sentence}</h2>
          <Button onClick={() => void refetch()}>{t('Refresh')}</Button>
        </div>
      )}
    </>
  )
}

function Figures({ record }: { record: Extract<TrackRecord, { state: 'figures' }> }) {
  const isSimulated = useConfig().data?.feed.kind === 'simulated'
  const { momentText } = useMarketTime()
  const { from, to, strategies, cash, isPaper } = record
  return (
    <div className="pb-4">
      <div className="max-w-page px-5">
        <MarketMark />
        <p className="pt-2 text-17 text-pretty text-ink2">
          {t(
            'What one dollar in each strategy has become here since the book began: after all costs of trading, before our fee on profit. The dashed line is hypothetical: the backtest of the same hours.',
          )}
        </p>
        {isSimulated && (
          <p className="pt-2 text-16 text-pretty">
            {t(
              'The prices of this market are made up. The record shows that bots trade as their backtest says, not that a strategy earns money.',
            )}
          </p>
        )}
        <p className="pt-2 text-14 text-ink2">
          {from === to
            ? t('The book has just begun.')
            : t('From {start} to {end}', { start: momentText(from), end: momentText(to) })}
        </p>
      </div>
      <div className="lg:grid lg:grid-cols-2 lg:items-start lg:gap-x-4">
        {strategies.map((strategy) => (
          <StrategySection key={strategy.strategy} record={strategy} cash={cash} />
        ))}
      </div>
      <RecordNotes isPaper={isPaper} />
    </div>
  )
}
