import type { EvidenceFigures, LevelEvidence } from '#contract/evidence.ts'
import { parseDecimal, unitsToDecimal } from '#core/money/decimal.ts'
import { withPercent } from '#words/figures.ts'
import { say, t, tCount } from '#words/words.ts'
import { utcDayText } from '#app/ui/device/dates.ts'
import { Change, figureText, Percent, percentText } from '#app/ui/money/money.tsx'
import { Trans } from '#app/ui/words/trans.tsx'
import { cashNote, PAST_NOTE, useNamesTargets } from './evidence-text.ts'
import { LuckFigures } from './luck-figures.tsx'
import { OutcomeTimeline } from './outcome-timeline.tsx'

export function LevelFigures({
  level,
  figures,
}: {
  level: LevelEvidence
  figures: EvidenceFigures
}) {
  const { median, worst, best, target } = level
  const namesTargets = useNamesTargets()
  return (
    <>
      <div className="px-5 pt-3">
        <p className="text-14 text-ink2">{t('Median of all 12 months')}</p>
        <p>
          <Change percent={median.percent} className="text-hero font-semibold tracking-[-0.02em]" />
        </p>
        <p className="text-14 text-ink2">
          {namesTargets
            ? `${t('Target {from}-{to}%, not a promise: you can lose money.', target)} ` +
              `${reachedText({ level, figures })}`
            : say(PAST_NOTE)}
        </p>
      </div>
      <OutcomeTimeline level={level} figures={figures} />
      <div className="px-5">
        <OutcomeShares level={level} namesTargets={namesTargets} />
        <dl
          className={
            'mt-5 grid grid-cols-[repeat(auto-fit,minmax(min(100%,8rem),1fr))] gap-x-4 gap-y-3'
          }
        >
          <Extreme name={t('Worst 12 months')} outcome={worst} />
          <Extreme name={t('Best 12 months')} outcome={best} />
        </dl>
        <p className="mt-4 text-14 text-ink2">
          <Trans
            message="Largest drop from a peak on the way: {percent}"
            percent={<Percent value={level.deepestFall} sign="never" />}
          />
        </p>
        {level.beatsCash !== null && (
          <p className="mt-2 text-14 text-pretty text-ink2">
            <Trans
              message="Beat cash on {percent} of start days."
              percent={<Percent value={level.beatsCash.percent} sign="never" />}
            />{' '}
            {cashNote({ cash: figures.cash, beatsCash: level.beatsCash })}
          </p>
        )}
      </div>
      <LuckFigures luck={level.luck} starts={figures.windows} />
    </>
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
}: {
  level: LevelEvidence
  namesTargets: boolean
}) {
  const rest = unitsToDecimal(ALL - units(losingPercent), 2)
  const between = unitsToDecimal(units(rest) - units(reachedPercent), 2)
  return (
    <>
      <div aria-hidden="true" className="mt-4 flex h-3 gap-0.5 overflow-hidden rounded-full">
        <span className="bg-loss" style={{ width: `${losingPercent}%` }} />
        {namesTargets && <span className="flex-1 bg-control" />}
        <span className="bg-gain" style={{ width: `${namesTargets ? reachedPercent : rest}%` }} />
      </div>
      <dl className="mt-3 flex flex-col gap-1.5 text-16">
        <Share color="before:bg-loss" name={t('lost money')} percent={losingPercent} />
        {namesTargets && (
          <Share
            color="before:bg-control"
            name={t('gained less than {percent}%', { percent: target.from })}
            percent={between}
          />
        )}
        {namesTargets && (
          <Share
            color="before:bg-gain"
            name={t('gained {percent}% or more', { percent: target.from })}
            percent={reachedPercent}
          />
        )}
        {!namesTargets && <Share color="before:bg-gain" name={t('lost nothing')} percent={rest} />}
      </dl>
    </>
  )
}

function Share({ color, name, percent }: { color: string; name: string; percent: string }) {
  return (
    <div
      className={
        'flex flex-wrap items-baseline gap-x-2.5 before:order-1 before:size-3 before:shrink-0 ' +
        `before:rounded-full ${color}`
      }
    >
      <dt className="order-3 min-w-[min(100%,8rem)] flex-1">{name}</dt>
      <dd className="order-2 min-w-16 text-right font-semibold">
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

/** Follows a target: '26.23% of start days reached this target. …' */
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
