import type { ReactNode } from 'react'
import type { EvidenceFigures, LevelEvidence } from '#contract/evidence.ts'
import { parseDecimal, unitsToDecimal } from '#core/money/decimal.ts'
import { countText, withPercent } from '#words/figures.ts'
import { riskTitle } from '#words/strategy-names.ts'
import { say, t, tCount } from '#words/words.ts'
import { utcDayText } from '#app/ui/device/dates.ts'
import { dotsOf, HundredDots } from '#app/ui/charts/hundred-dots.tsx'
import { Change, figureText, Percent, percentText } from '#app/ui/money/money.tsx'
import { Trans } from '#app/ui/words/trans.tsx'
import { cashNote } from './evidence-notes.ts'
import { PAST_NOTE, useNamesTargets } from './evidence-text.ts'
import { Door } from '#app/ui/frame/door.tsx'
import { HypotheticalMark } from './hypothetical-mark.tsx'
import { LuckFigures } from './luck-figures.tsx'
import { OutcomeTimeline } from './outcome-timeline.tsx'
import { PutIn } from './put-in.tsx'

/** `prices`: a sentence that names the source of the prices. */
type Props = { level: LevelEvidence; figures: EvidenceFigures; prices: string }

export function LevelFigures({ level, figures, prices }: Props) {
  const namesTargets = useNamesTargets()
  const { losingPercent, reachedPercent } = level
  const dots = dotsOf({ losingPercent, reachedPercent: namesTargets ? reachedPercent : undefined })
  return (
    <>
      <div className="px-5 pt-3">
        <h2 className="pb-3 text-28 font-semibold tracking-[-0.01em] text-balance">
          <Trans
            message="Of 100 {level} bots, <loss>{count} lost money</loss> in 12 months."
            level={riskTitle(level.riskLevel)}
            count={dots.lost}
            loss={inLossColor}
          />
        </h2>
        <OutcomeShares level={level} namesTargets={namesTargets} dots={dots} />
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 pt-4 text-14 text-ink2">
          <HypotheticalMark />
          {t('{count} starts from {day}, after all costs and our fee', {
            count: countText(figures.windows),
            day: utcDayText(figures.from),
          })}
        </p>
        <p className="pt-2 text-14 text-pretty text-ink2">
          {namesTargets
            ? t('Target {from}-{to}%, not a promise: you can lose money.', level.target)
            : say(PAST_NOTE)}
        </p>
        <p className="text-14 text-pretty text-ink2">{prices}</p>
      </div>
      <PutIn level={level} />
      <h3 className="px-5 pt-8 text-20 font-semibold">{t('It depends on when you start')}</h3>
      <OutcomeTimeline level={level} figures={figures} />
      <div className="mx-5 mt-4 border-t border-hairline" />
      <LuckFigures luck={level.luck} starts={figures.windows} />
      <MoreFigures level={level} figures={figures} />
    </>
  )
}

const inLossColor = (content: ReactNode) => <span className="text-loss">{content}</span>

function MoreFigures({ level, figures }: { level: LevelEvidence; figures: EvidenceFigures }) {
  const namesTargets = useNamesTargets()
  const { worst, best, beatsCash } = level
  return (
    <Door
      title={t('Best, worst and cash')}
      note={
        beatsCash === null
          ? undefined
          : t('Beat cash on {percent} of start days.', {
              percent: percentText(beatsCash.percent, { sign: 'never' }),
            })
      }
    >
      <dl className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,8rem),1fr))] gap-x-4 gap-y-3">
        <Extreme name={t('Worst 12 months')} outcome={worst} />
        <Extreme name={t('Best 12 months')} outcome={best} />
      </dl>
      {namesTargets && (
        <p className="mt-4 text-14 text-pretty text-ink2">{reachedText({ level, figures })}</p>
      )}
      <p className="mt-4 text-14 text-ink2">
        <Trans
          message="Largest drop from a peak on the way: {percent}"
          percent={<Percent value={level.deepestFall} sign="never" />}
        />
      </p>
      {beatsCash !== null && (
        <p className="mt-2 text-14 text-pretty text-ink2">
          {cashNote({ cash: figures.cash, beatsCash })}
        </p>
      )}
    </Door>
  )
}

function Extreme({ name, outcome }: { name: string; outcome: LevelEvidence['worst'] }) {
  return (
    <div className="border-t border-hairline pt-3">
      <dt className="text-14 text-ink2">{name}</dt>
      <dd>
        <Change percent={outcome.percent} className="text-20 font-semibold" />
        <span className="block text-14 text-ink2">
          {t('from {day}', { day: utcDayText(outcome.from) })}
        </span>
      </dd>
    </div>
  )
}

/** 100 percent at scale 8. */
const ALL = 10_000_000_000n

function OutcomeShares({
  level: { losingPercent, reachedPercent, target },
  namesTargets,
  dots,
}: {
  level: LevelEvidence
  namesTargets: boolean
  dots: ReturnType<typeof dotsOf>
}) {
  const rest = unitsToDecimal(ALL - units(losingPercent), 2)
  const between = unitsToDecimal(units(rest) - units(reachedPercent), 2)
  return (
    <>
      <HundredDots dots={dots} />
      <dl className="mt-3 flex flex-wrap gap-x-5 gap-y-1.5 text-14">
        <Share look="before:bg-loss" name={t('lost money')} percent={losingPercent} />
        {namesTargets && (
          <Share
            look="before:rounded-full before:scale-75 before:bg-control"
            name={t('gained less than {percent}%', { percent: target.from })}
            percent={between}
          />
        )}
        <Share
          look="before:rounded-full before:bg-gain"
          name={
            namesTargets
              ? t('gained {percent}% or more', { percent: target.from })
              : t('lost nothing')
          }
          percent={namesTargets ? reachedPercent : rest}
        />
      </dl>
    </>
  )
}

function Share({ look, name, percent }: { look: string; name: string; percent: string }) {
  return (
    <div
      className={
        'flex items-baseline gap-x-1.5 before:order-1 before:size-2.5 before:shrink-0 ' + look
      }
    >
      <dt className="order-3">{name}</dt>
      <dd className="order-2 font-semibold">
        <Percent value={percent} sign="never" />
      </dd>
    </div>
  )
}

function units(percent: string): bigint {
  return parseDecimal(percent) ?? 0n
}

type ReachedLevel = {
  level: Pick<LevelEvidence, 'riskLevel' | 'reachedPercent'>
  figures: Pick<EvidenceFigures, 'costs' | 'holdout'>
}

/** '26.23% of start days reached this target. …' */
export function reachedText({
  level: { riskLevel, reachedPercent },
  figures: { costs, holdout },
}: ReachedLevel): string {
  const percent = percentText(reachedPercent, { sign: 'never' })
  const other = holdout.find(({ reached }) => reached !== null)
  if (!other?.reached) return t('{percent} of start days reached this target.', { percent })
  const values = {
    percent,
    other: withPercent(figureText(other.reached.levels[riskLevel])),
    costs: percentText(other.reached.costs, { sign: 'never' }),
  }
  if (other.reached.costs === costs.aSide) {
    return tCount(
      other.pairs,
      {
        one:
          '{percent} of start days reached this target. On ' +
          '{count} coin not used to choose the rules: {other}.',
        other:
          '{percent} of start days reached this target. On ' +
          '{count} coins not used to choose the rules: {other}.',
      },
      values,
    )
  }
  return tCount(
    other.pairs,
    {
      one:
        '{percent} of start days reached this target. On ' +
        '{count} coin not used to choose the rules: {other}, at costs of {costs} per trade.',
      other:
        '{percent} of start days reached this target. On ' +
        '{count} coins not used to choose the rules: {other}, at costs of {costs} per trade.',
    },
    values,
  )
}
