import type { ReactNode } from 'react'
import { EVIDENCE_COMPUTING, TARGETS } from '#core/evidence/target.ts'
import { signOf } from '#core/money/text.ts'
import { BALANCED_PERCENT } from '#core/strategy/balanced-share.ts'
import { RISK_LEVELS, type RiskLevel } from '#core/strategy/risk-level.ts'
import {
  LEVEL_OF_HOLD,
  levelsOf,
  strategyKey,
  type StrategyChoice,
} from '#core/strategy/strategy-key.ts'
import { countText } from '#words/figures.ts'
import { riskTitle } from '#words/strategy-names.ts'
import { say, t } from '#words/words.ts'
import { useEvidence, useEvidenceSummary } from '#app/evidence/evidence-queries.ts'
import {
  levelOf,
  medianText,
  PAST_NOTE,
  TARGET_NOTE,
  useNamesTargets,
} from '#app/evidence/evidence-text.ts'
import { OutcomeBar, type Outcomes } from '#app/evidence/outcome-bar.tsx'
import { dotsOf } from '#app/ui/charts/hundred-dots.tsx'
import { RadioCard } from '#app/ui/forms/radio-card.tsx'
import { percentText } from '#app/ui/money/money.tsx'

type LevelProps = { value: StrategyChoice; onChange: (level: RiskLevel) => void }

export function LevelChoice(props: LevelProps) {
  return props.value.strategy === 'trend' ? <TrendLevels {...props} /> : <OtherLevels {...props} />
}

/** The levels with their target returns or, without targets, with the median of past results. */
function TrendLevels({ value, onChange }: LevelProps) {
  const evidence = useEvidenceSummary().data
  const namesTargets = useNamesTargets()
  return (
    <Levels
      {...{ value, onChange, namesTargets, evidence }}
      detailOf={(level) =>
        namesTargets ? t('{from}-{to}% returns', TARGETS[level]) : medianText(level, evidence)
      }
      pastOf={(level) => levelOf(level, evidence)}
      prices={evidence?.state === 'figures' ? evidence.prices : null}
    />
  )
}

/** The levels of a balanced bot, or the only one of a hold bot. */
function OtherLevels({ value, onChange }: LevelProps) {
  const evidence = useEvidence().data
  return (
    <Levels
      {...{ value, onChange, evidence }}
      detailOf={(level) => t('{percent}% in coins', { percent: BALANCED_PERCENT[level] })}
      pastOf={(riskLevel) => {
        const key = strategyKey({ ...value, riskLevel })
        const found =
          evidence?.state === 'figures' &&
          evidence.figures.others.find(({ strategy }) => strategy === key)
        if (!found) return undefined
        const { median, worst, losingPercent } = found
        return { median: median.percent, worst: worst.percent, losingPercent }
      }}
      prices={evidence?.state === 'figures' && evidence.note !== null ? evidence.feedLabel : null}
    />
  )
}

type Past = Outcomes & { losingPercent: string }

type LevelsProps = LevelProps & {
  evidence: { state: string; sentence?: string } | undefined
  namesTargets?: boolean
  detailOf: (level: RiskLevel) => string
  pastOf: (level: RiskLevel) => Past | undefined
  /** The source of the prices, if it is not this market. */
  prices: string | null
}

function Levels({ value, onChange, evidence, detailOf, pastOf, ...said }: LevelsProps) {
  const reason = evidence?.state === 'none' ? evidence.sentence : undefined
  const scale = levelsOf(value.strategy)
    .map(pastOf)
    .filter((past) => past !== undefined)
  const note = (level: RiskLevel) => (
    <PastFigures
      past={pastOf(level)}
      scale={scale}
      reason={reason}
      hidesMedian={value.strategy === 'trend' && said.namesTargets !== true}
    />
  )
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="mb-1.5 text-17 font-semibold">{t('Risk level')}</legend>
      {value.strategy === 'hold' ? (
        <HoldRisk>{note(LEVEL_OF_HOLD)}</HoldRisk>
      ) : (
        RISK_LEVELS.map((level) => (
          <RadioCard
            key={level}
            name="riskLevel"
            value={level}
            checked={level === value.riskLevel}
            onChoose={() => onChange(level)}
            title={riskTitle(level)}
            detail={detailOf(level)}
            note={note(level)}
          />
        ))
      )}
      <Warning {...said} sentence={reason} />
    </fieldset>
  )
}

function HoldRisk({ children }: { children: ReactNode }) {
  return (
    <div className="rounded-control border border-control bg-surface px-4 py-3 text-14">
      <p className="text-16 font-semibold">{t('All of the money is in coins')}</p>
      <p className="text-ink2">
        {t(
          'The bot rises and falls exactly as your coins do, which is more than at any ' +
            'other level.',
        )}
      </p>
      {children}
    </div>
  )
}

/** `sentence`: why there are no figures. */
function Warning({
  namesTargets = false,
  prices,
  sentence,
}: Pick<LevelsProps, 'namesTargets' | 'prices'> & { sentence: string | undefined }) {
  const results = namesTargets
    ? t('12-month targets, hypothetical results after costs.')
    : t('Hypothetical 12-month results after costs.')
  return (
    <p className="text-14 text-ink">
      <strong className="font-semibold">{say(namesTargets ? TARGET_NOTE : PAST_NOTE)}</strong>{' '}
      <EvidenceLink>{sentence ?? results}</EvidenceLink> {prices && `${prices}.`}
    </p>
  )
}

/**
 * All levels have one scale, so that a longer red bar shows a larger loss. The height is the same
 * without figures, so that nothing moves when they arrive.
 */
function PastFigures({
  past,
  scale,
  reason = say(EVIDENCE_COMPUTING),
  hidesMedian,
}: {
  past: Past | undefined
  scale: readonly Outcomes[]
  /** Why there are no figures. */
  reason: string | undefined
  hidesMedian: boolean
}) {
  if (past === undefined) return <span className="block min-h-[calc(2lh+1.25rem)]">{reason}</span>
  const lost = t('{count} of 100', { count: countText(dotsOf(past).lost) })
  return (
    <>
      <OutcomeBar marks={past} scale={scale} className="my-1 h-3" />
      <span className="flex flex-wrap justify-between gap-x-3">
        <Figure name={t('worst')} value={percentText(past.worst)} look="text-loss" />
        {!hidesMedian && (
          <Figure
            name={t('median')}
            value={percentText(past.median)}
            look={signOf(past.median) < 0 ? 'text-loss' : 'text-gain'}
          />
        )}
        <Figure name={t('lost money')} value={lost} look="text-loss" />
      </span>
    </>
  )
}

function Figure({ name, value, look }: { name: string; value: string; look: string }) {
  return (
    <span className="flex flex-col">
      {name} <span className={`font-semibold whitespace-nowrap ${look}`}>{value}</span>
    </span>
  )
}

/** Opens in a new tab, so that choices in a sheet are not lost. */
function EvidenceLink({ children }: { children: string }) {
  return (
    <a
      href="/evidence"
      target="_blank"
      rel="noreferrer"
      aria-label={`${children} ${t('(opens in a new tab)')}`}
      className="inline-block py-0.5 text-ink underline decoration-control underline-offset-[0.2em]"
    >
      {children}
    </a>
  )
}
