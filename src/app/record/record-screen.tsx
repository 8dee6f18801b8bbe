import type { TrackRecord } from '#contract/track-record.ts'
import { listText } from '#words/list-text.ts'
import { msg, say, t } from '#words/words.ts'
import { useAnswer, useConfig } from '#app/api/queries.ts'
import { ResultLinks } from '#app/evidence/result-links.tsx'
import { MarketMark } from '#app/market/market-mark.tsx'
import { useMarketTime } from '#app/market/market-time.ts'
import { PageHeader } from '#app/shell/page-header.tsx'
import { Button } from '#app/ui/buttons/button.tsx'
import { Disclosure } from '#app/ui/frame/disclosure.tsx'
import { LoadProblem, Skeleton } from '#app/ui/frame/section.tsx'
import { headline, isUsed, recordTitle } from './record-text.ts'
import { StrategySection } from './strategy-section.tsx'

type FiguresOf = Extract<TrackRecord, { state: 'figures' }>

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
      <div className="px-5 pb-4">
        <ResultLinks from="/track-record" />
      </div>
    </>
  )
}

function Figures({ record }: { record: FiguresOf }) {
  const { from, to, strategies, cash, isPaper } = record
  const used = strategies.filter(isUsed)
  const unused = strategies.filter((strategy) => !isUsed(strategy))
  return (
    <div className="pb-4">
      <Summary used={used} from={from} to={to} />
      <div className="lg:grid lg:grid-cols-2 lg:items-start lg:gap-x-4">
        {used.map((strategy) => (
          <StrategySection key={strategy.strategy} record={strategy} cash={cash} />
        ))}
      </div>
      <div className="max-w-page px-5 pt-6">
        {used.length > 0 && unused.length > 0 && (
          <p className="pb-4 text-16 text-pretty text-ink2">
            {t('Not used yet: {strategies}.', {
              strategies: listText(unused.map(({ strategy }) => recordTitle(strategy))),
            })}
          </p>
        )}
        <RecordNotes isPaper={isPaper} />
      </div>
    </div>
  )
}

type SummaryOf = Pick<FiguresOf, 'from' | 'to'> & { used: FiguresOf['strategies'] }

function Summary({ used, from, to }: SummaryOf) {
  const isSimulated = useConfig().data?.feed.kind === 'simulated'
  const { momentText } = useMarketTime()
  return (
    <div className="max-w-page px-5">
      <MarketMark />
      <h2 className="pt-3 text-28 font-semibold tracking-[-0.01em] text-balance">
        {headline(used)}
      </h2>
      {isSimulated && used.length > 0 && (
        <p className="pt-2 text-16 text-pretty">
          {t('This shows that bots trade like their backtest, not that a strategy earns money.')}
        </p>
      )}
      {used.length > 0 && (
        <p className="pt-2 text-16 text-pretty">
          {t(
            'After trading costs, before our fee. Past results do not predict the future. ' +
              'You can lose money.',
          )}
        </p>
      )}
      <p className="pt-2 text-14 text-ink2">
        {from === to
          ? t('Trading here has just begun.')
          : t('From {start} to {end}', { start: momentText(from), end: momentText(to) })}
      </p>
    </div>
  )
}

const NOTES: readonly (readonly [name: string, text: string])[] = [
  [
    msg('Gap'),
    msg(
      'The result here minus that of the backtest, in basis points (bps) of the ' +
        'starting value. 100 bps are 1%. Below 0, bots did worse here than their ' +
        'backtest.',
    ),
  ],
  [msg('Fee'), msg('The trading fee that the backtest assumes, minus the one that was paid.')],
  [
    msg('Spread'),
    msg(
      'Orders filled at better or worse prices than the backtest assumes, relative ' +
        'to the market price at that moment.',
    ),
  ],
  [
    msg('Delay'),
    msg(
      'The backtest trades at the start of an hour, but the price moved until the order ' +
        'was filled. This includes the first purchase, which follows the first deposit ' +
        'in the middle of an hour.',
    ),
  ],
  [
    msg('Missed'),
    msg(
      'Orders not filled, partly filled or filled in another hour, for instance ' +
        'while trading was halted. Later differences that they cause are included.',
    ),
  ],
  [
    msg('Interest on cash'),
    msg(
      'Interest that idle cash received, minus the interest that the backtest ' +
        'assumes at the same rates. It is shown only if there was any.',
    ),
  ],
]

function RecordNotes({ isPaper }: { isPaper: boolean }) {
  return (
    <Disclosure className="border-y border-hairline" summary={<h2>{t('How to read it')}</h2>}>
      <p className="text-14 text-pretty text-ink2">
        {t(
          'The worth of one dollar in each strategy since trading here began, after ' +
            'trading costs and before our fee. The dashed line is hypothetical: the ' +
            'backtest of the same hours.',
        )}
      </p>
      <dl className="pt-1 text-14 text-ink2">
        {NOTES.map(([name, text]) => (
          <div key={name} className="pt-2">
            <dt className="font-semibold text-ink">{say(name)}</dt>
            <dd className="text-pretty">{say(text)}</dd>
          </div>
        ))}
      </dl>
      <div className="pb-5 text-14 text-pretty text-ink2 *:pt-3">
        {isPaper && (
          <p>
            {t(
              "With paper money, orders are filled by the backtest's own rules, so there " +
                'is almost no gap. At an exchange there is one.',
            )}
          </p>
        )}
        <p>
          {t(
            "Each day, a strategy's result is the equally weighted mean of the pairs " +
              "that bots used. Published results don't change when a bot joins or leaves. " +
              'Times without any bot are flat. The record keeps strategies and pairs that ' +
              'are no longer used.',
          )}
        </p>
        <p>
          {t("A bot's own result differs: it pays for its entry and exit, and our fee on profit.")}
        </p>
      </div>
    </Disclosure>
  )
}
