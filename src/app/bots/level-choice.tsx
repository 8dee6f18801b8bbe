import type { Evidence, EvidenceSummary } from '#contract/evidence.ts'
import { EVIDENCE_COMPUTING, TARGETS } from '#core/evidence/target.ts'
import { BALANCED_PERCENT } from '#core/strategy/balanced-share.ts'
import { RISK_LEVELS, type RiskLevel } from '#core/strategy/risk-level.ts'
import type { StrategyChoice, StrategyKey } from '#core/strategy/strategy-key.ts'
import { riskTitle } from '#words/strategy-names.ts'
import { say, t } from '#words/words.ts'
import { useEvidence, useEvidenceSummary } from '#app/evidence/evidence-queries.ts'
import {
  evidenceNote,
  levelOf,
  medianText,
  otherPricesNote,
  PAST_NOTE,
  pricesNote,
  TARGET_NOTE,
  useNamesTargets,
} from '#app/evidence/evidence-text.ts'
import { RadioCard } from '#app/ui/forms/radio-card.tsx'
import { percentText } from '#app/ui/money/money.tsx'

export function LevelChoice({
  value: { strategy, riskLevel },
  onChange,
}: {
  value: StrategyChoice
  onChange: (level: RiskLevel) => void
}) {
  if (strategy === 'trend') return <RiskChoice value={riskLevel} onChange={onChange} />
  if (strategy === 'hold') return <HoldRisk />
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 text-14 font-medium">{t('Risk level')}</legend>
      <div className="flex flex-col gap-2 rounded-sheet border border-hairline p-3">
        {RISK_LEVELS.map((level) => (
          <RadioCard
            key={level}
            name="riskLevel"
            value={level}
            checked={level === riskLevel}
            onChoose={() => onChange(level)}
            title={riskTitle(level)}
            detail={t('{percent}% in coins', { percent: BALANCED_PERCENT[level] })}
            note={<PastNote strategy={`balanced-${level}`} />}
          />
        ))}
        <Warning />
      </div>
    </fieldset>
  )
}

function HoldRisk() {
  return (
    <div className="flex flex-col gap-2 rounded-sheet border border-hairline p-3">
      <p className="px-1 text-16 font-semibold">{t('All of the money is in coins')}</p>
      <p className="px-1 text-14 text-ink2">
        {t(
          'The bot rises and falls exactly as your coins do, which is more than at any ' +
            'other level.',
        )}{' '}
        <PastNote strategy="hold" />
      </p>
      <Warning />
    </div>
  )
}

function PastNote({ strategy }: { strategy: StrategyKey }) {
  return strategyNote(strategy, useEvidence().data)
}

function Warning() {
  const evidence = useEvidence().data
  const prices = evidence?.state === 'figures' && evidence.note !== null ? evidence.feedLabel : null
  return (
    <p className="px-1 pt-1 text-14 text-ink">
      <strong className="font-semibold">{say(PAST_NOTE)}</strong> {otherPricesNote(prices)}{' '}
      <EvidenceLink sentence={evidence?.state === 'none' ? evidence.sentence : undefined} />
    </p>
  )
}

/**
 * The presets with their target returns or, without targets, with past results. The same card warns
 * of losses and shows past outcomes, in the same type.
 */
function RiskChoice({
  value,
  onChange,
}: {
  value: RiskLevel
  onChange: (level: RiskLevel) => void
}) {
  const evidence = useEvidenceSummary().data
  const namesTargets = useNamesTargets()
  const note = say(namesTargets ? TARGET_NOTE : PAST_NOTE)
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 text-14 font-medium">{t('Risk level')}</legend>
      <div className="flex flex-col gap-2 rounded-sheet border border-hairline p-3">
        {RISK_LEVELS.map((level) => (
          <RadioCard
            key={level}
            name="riskLevel"
            value={level}
            checked={level === value}
            onChoose={() => onChange(level)}
            title={riskTitle(level)}
            detail={
              namesTargets ? t('{from}-{to}% returns', TARGETS[level]) : medianText(level, evidence)
            }
            note={
              <>
                {namesTargets && <span className="block">{t('Target for a year.')}</span>}
                <OutcomeBar level={level} evidence={evidence} />
                <span className="block">
                  {evidenceNote(level, evidence, { median: namesTargets })}
                </span>
              </>
            }
          />
        ))}
        <p className="px-1 pt-1 text-14 text-ink">
          <strong className="font-semibold">{note}</strong> {pricesNote(evidence)}{' '}
          <EvidenceLink sentence={evidence?.state === 'none' ? evidence.sentence : undefined} />
        </p>
      </div>
    </fieldset>
  )
}

const WIDTH = 1_000

/**
 * The level's worst to median outcome. All levels have one scale, so that a longer red shows what a
 * higher level may cost. The text below has the figures.
 */
function OutcomeBar({
  level,
  evidence,
}: {
  level: RiskLevel
  evidence: EvidenceSummary | undefined
}) {
  const own = levelOf(level, evidence)
  if (evidence?.state === 'none') return null
  if (own === undefined || evidence?.state !== 'figures') return <span className="my-1 block h-3" />
  const from = Math.min(0, ...evidence.levels.map(({ worst }) => Number(worst)))
  const to = Math.max(0, ...evidence.levels.map(({ median }) => Number(median)))
  const placeOf = (percent: number) => ((percent - from) / Math.max(to - from, 1)) * WIDTH
  const [worst, median] = [Number(own.worst), Number(own.median)]
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${WIDTH} 16`}
      preserveAspectRatio="none"
      fill="none"
      className="my-1 block h-3 w-full overflow-visible"
    >
      <path d={`M0 8H${WIDTH}`} className="stroke-hairline" strokeWidth={1} />
      <path
        d={`M${placeOf(worst)} 8H${placeOf(Math.min(0, median))}`}
        className="stroke-loss"
        strokeWidth={8}
      />
      <path
        d={`M${placeOf(Math.min(Math.max(0, worst), median))} 8H${placeOf(median)}`}
        className="stroke-gain"
        strokeWidth={median > 0 ? 8 : 0}
      />
      {[0, median].map((percent, index) => (
        <path
          key={index}
          d={`M${placeOf(percent)} 0V16`}
          className="stroke-ink"
          strokeWidth={index === 0 ? 1 : 4}
          vectorEffect="non-scaling-stroke"
        />
      ))}
    </svg>
  )
}

/** Opens in a new tab, so that the text typed in the form is not lost. */
function EvidenceLink({ sentence }: { sentence: string | undefined }) {
  return (
    <a
      href="/evidence"
      target="_blank"
      rel="noreferrer"
      className="inline-block py-0.5 text-ink underline decoration-control underline-offset-[0.2em]"
    >
      {sentence ?? t('See the evidence')}
      <span className="sr-only"> {t('(opens in a new tab)')}</span>
    </a>
  )
}

export function strategyNote(
  strategy: StrategyKey,
  evidence: Evidence | undefined,
): string | undefined {
  if (evidence?.state === 'none') return undefined
  const found =
    evidence?.state === 'figures'
      ? evidence.figures.others.find((one) => one.strategy === strategy)
      : undefined
  if (found === undefined) return say(EVIDENCE_COMPUTING)
  const { median, worst, losingPercent } = found
  const values = {
    median: percentText(median.percent),
    worst: percentText(worst.percent),
    losing: percentText(losingPercent, { sign: 'never' }),
  }
  return t('Any 12 months after costs: median {median}, worst {worst}, {losing} lost money', values)
}
