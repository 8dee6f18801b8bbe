import type { BotEvidence as Figures } from '#contract/evidence.ts'
import { routes } from '#contract/routes.ts'
import { strategyKey, type StrategyChoice } from '#core/strategy/strategy-key.ts'
import { countText } from '#words/figures.ts'
import { say, t } from '#words/words.ts'
import { useConfig } from '#app/api/queries.ts'
import { cashNote, otherPricesNote } from '#app/evidence/evidence-notes.ts'
import { NOT_COMPUTED } from '#app/evidence/guard-table.tsx'
import { HypotheticalMark } from '#app/evidence/hypothetical-mark.tsx'
import { ProofLink } from '#app/evidence/proof-link.tsx'
import { pairsText } from '#app/market/market-text.ts'
import { utcDayText } from '#app/ui/device/dates.ts'
import { Loading } from '#app/ui/frame/loading.tsx'
import { Percent, percentText } from '#app/ui/money/money.tsx'
import { Trans } from '#app/ui/words/trans.tsx'
import type { EnteredBot } from './bot-draft.ts'
import { useBotEvidence } from './bot-queries.ts'

/**
 * The outcomes of exactly this kind of bot with these coins in all periods of 12 months of real
 * prices, because a single past year shows little.
 */
export function BotEvidence({ bot }: { bot: EnteredBot }) {
  const evidence = useBotEvidence(bot)
  if (bot.tradingPairs.length === 0) return null
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
      <Loading query={evidence} problem={say(NOT_COMPUTED)} className="mt-2 h-32 w-full" />
      {evidence.data &&
        (evidence.data.state === 'figures' ? (
          <Outcomes figures={evidence.data} choice={bot} />
        ) : (
          <p className="mt-2 text-14 text-ink2">{evidence.data.sentence}</p>
        ))}
    </section>
  )
}

type Shown = { figures: Extract<Figures, { state: 'figures' }>; choice: StrategyChoice }

function Outcomes({ figures, choice }: Shown) {
  const { median, worst, losingPercent, deepestFall, beatsCash, monthly, pairs } = figures
  const percents = [
    [t('Median'), median.percent, 'always'],
    [t('Worst'), worst.percent, 'always'],
    [t('Lost money'), losingPercent, 'never'],
    [t('Largest drop'), deepestFall, 'never'],
    [t('Beat cash'), beatsCash?.percent, 'never'],
  ] as const
  return (
    <>
      <dl
        className={
          'mt-2 grid grid-cols-[repeat(auto-fill,minmax(min(100%,7rem),1fr))] gap-x-4 gap-y-2'
        }
      >
        {percents.map(
          ([name, percent, sign]) =>
            percent !== undefined && (
              <div key={name}>
                <dt className="text-14 text-ink2">{name}</dt>
                <dd className="text-17 font-semibold">
                  <Percent value={percent} sign={sign} />
                </dd>
              </div>
            ),
        )}
      </dl>
      <Circumstances figures={figures} choice={choice} />
      <p className="mt-2 text-14 text-pretty text-ink">
        <Trans
          message="The same money in twelve monthly amounts: median {median}, worst {worst}. Investing all at once ended higher on {share} of the start days."
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

function Circumstances({
  figures: { beatsCash, missing, prices, windows, from, to },
  choice: { strategy },
}: Shown) {
  const cashYield = useConfig().data?.cashYield
  const period = { count: countText(windows), from: utcDayText(from), to: utcDayText(to) }
  return (
    <p className="mt-2 text-14 text-pretty text-ink2">
      {strategy === 'hold'
        ? t('{count} start days, {from} to {to}, after all costs.', period)
        : t('{count} start days, {from} to {to}, after all costs and our fee.', period)}{' '}
      {otherPricesNote(prices)} {cashNote({ cash: null, beatsCash })}{' '}
      {cashYield &&
        t('Idle cash earns {percent} a year in it, as it does here.', {
          percent: percentText(cashYield.percent, { sign: 'never' }),
        })}{' '}
      {missing.length > 0 &&
        t('Without {pairs}: too few recorded prices.', { pairs: pairsText(missing) })}
    </p>
  )
}
