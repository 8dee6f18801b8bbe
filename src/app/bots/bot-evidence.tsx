import type { ReactNode } from 'react'
import type { BotEvidence as Figures } from '#contract/evidence.ts'
import { routes } from '#contract/routes.ts'
import { strategyKey, type StrategyChoice } from '#core/strategy/strategy-key.ts'
import { groupDigits } from '#words/figures.ts'
import { say, t } from '#words/words.ts'
import { useConfig } from '#app/api/queries.ts'
import { cashNote, otherPricesNote } from '#app/evidence/evidence-text.ts'
import { NOT_COMPUTED } from '#app/evidence/guard-table.tsx'
import { HypotheticalMark } from '#app/evidence/hypothetical-mark.tsx'
import { ProofLink } from '#app/evidence/proof-link.tsx'
import { pairsText } from '#app/market/market-text.ts'
import { utcDayText } from '#app/ui/device/dates.ts'
import { LoadProblem, Skeleton } from '#app/ui/frame/section.tsx'
import { Percent, percentText } from '#app/ui/money/money.tsx'
import { Trans } from '#app/ui/words/trans.tsx'
import { sentChoice, type EnteredBot } from './bot-draft.ts'
import { useBotEvidence } from './bot-queries.ts'

/**
 * The outcomes of exactly this kind of bot with these coins in every 12 months of real prices: one
 * past year alone says little.
 */
export function BotEvidence({ bot: { strategy, riskLevel, tradingPairs } }: { bot: EnteredBot }) {
  const evidence = useBotEvidence({
    ...sentChoice({ strategy, riskLevel }),
    tradingPairs: [...tradingPairs],
  })
  if (tradingPairs.length === 0) return null
  return (
    <section
      aria-label={t('Any 12 months of this bot')}
      aria-busy={evidence.isPending}
      className="min-h-52 rounded-sheet border border-hairline bg-surface p-4"
    >
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <h3 className="text-16 font-semibold">{t('Any 12 months of this bot')}</h3>
        <HypotheticalMark />
      </div>
      {evidence.isPending && <Skeleton className="mt-2 h-32 w-full" />}
      {evidence.isError && (
        <LoadProblem message={say(NOT_COMPUTED)} onRetry={() => void evidence.refetch()} />
      )}
      {evidence.data &&
        (evidence.data.state === 'figures' ? (
          <Outcomes figures={evidence.data} choice={{ strategy, riskLevel }} />
        ) : (
          <p className="mt-2 text-14 text-ink2">{evidence.data.sentence}</p>
        ))}
    </section>
  )
}

function Outcomes({
  figures,
  choice,
}: {
  figures: Extract<Figures, { state: 'figures' }>
  choice: StrategyChoice
}) {
  const {
    median,
    worst,
    losingPercent,
    deepestFall,
    beatsCash,
    monthly,
    pairs,
    missing,
    prices,
    windows,
    from,
    to,
  } = figures
  const cashYield = useConfig().data?.cashYield ?? null
  const period = {
    count: groupDigits(String(windows), { minimum: 0, maximum: 0 }),
    from: utcDayText(from),
    to: utcDayText(to),
  }
  return (
    <>
      <dl
        className={
          'mt-2 grid ' +
          'grid-cols-[repeat(auto-fit,minmax(min(100%,7rem),1fr))] ' +
          'gap-x-4 gap-y-2'
        }
      >
        <Figure name={t('Median')} value={<Percent value={median.percent} sign="always" />} />
        <Figure name={t('Worst')} value={<Percent value={worst.percent} sign="always" />} />
        <Figure name={t('Lost money')} value={<Percent value={losingPercent} sign="never" />} />
        <Figure name={t('Largest drop')} value={<Percent value={deepestFall} sign="never" />} />
        {beatsCash !== null && (
          <Figure
            name={t('Beat cash')}
            value={<Percent value={beatsCash.percent} sign="never" />}
          />
        )}
      </dl>
      <p className="mt-2 text-14 text-pretty text-ink2">
        {choice.strategy === 'hold'
          ? t('{count} start days, {from} to {to}, after all costs.', period)
          : t('{count} start days, {from} to {to}, after all costs and our fee.', period)}{' '}
        {otherPricesNote(prices)} {cashNote({ cash: null, beatsCash })}{' '}
        {cashYield &&
          t('Idle cash earns {percent} a year in it, as in this book.', {
            percent: percentText(cashYield.percent, { sign: 'never' }),
          })}{' '}
        {missing.length > 0 &&
          t('Without {pairs}: too few recorded prices.', { pairs: pairsText(missing) })}
      </p>
      <p className="mt-2 text-14 text-pretty text-ink">
        <Trans
          message="The same money in twelve monthly parts: median {median}, worst {worst}. All at once ended higher on {share} of the start days."
          median={<Percent value={monthly.median.percent} sign="always" />}
          worst={<Percent value={monthly.worst.percent} sign="always" />}
          share={<Percent value={monthly.onceHigherPercent} sign="never" />}
        />
      </p>
      <ProofLink
        path={routes.getBotBundle.path}
        query={{ strategy: strategyKey(choice), pairs: pairs.join(',') }}
      />
    </>
  )
}

function Figure({ name, value }: { name: string; value: ReactNode }) {
  return (
    <div>
      <dt className="text-14 text-ink2">{name}</dt>
      <dd className="text-17 font-semibold">{value}</dd>
    </div>
  )
}
