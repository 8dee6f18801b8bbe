import type { EvidenceFigures, LevelEvidence } from '#contract/evidence.ts'
import { say, t } from '#words/words.ts'
import { utcDayText } from '#app/ui/device/dates.ts'
import { Change } from '#app/ui/money/change.tsx'
import { Percent } from '#app/ui/money/percent.tsx'
import { Trans } from '#app/ui/words/trans.tsx'
import { cashNote } from './cash-note.ts'
import { PAST_NOTE } from './evidence-text.ts'
import { useNamesTargets } from './names-targets.ts'
import { LuckFigures } from './luck-figures.tsx'
import { OutcomeShares } from './outcome-shares.tsx'
import { reachedText } from './reached-text.ts'
import { OutcomeTimeline } from './outcome-timeline.tsx'

/**
 * One risk level: its median in large type, the timeline of outcomes, and its worst and best
 * outcome.
 */
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
        <dl className="mt-5 grid grid-cols-[repeat(auto-fit,minmax(min(100%,8rem),1fr))] gap-x-4 gap-y-3">
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
