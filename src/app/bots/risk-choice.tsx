import { TARGETS } from '#core/evidence/target.ts'
import { PRESETS } from '#core/strategy/preset.ts'
import { RISK_LEVELS, type RiskLevel } from '#core/strategy/risk-level.ts'
import { locale } from '#words/figures.ts'
import { riskTitle } from '#words/names.ts'
import { say, t } from '#words/words.ts'
import { useEvidenceSummary } from '#app/evidence/evidence-queries.ts'
import {
  evidenceNote,
  medianText,
  PAST_NOTE,
  pricesNote,
  TARGET_NOTE,
} from '#app/evidence/evidence-text.ts'
import { useNamesTargets } from '#app/evidence/names-targets.ts'
import { RadioCard } from '#app/ui/forms/radio-card.tsx'
import { EvidenceLink } from './evidence-link.tsx'

/**
 * The three presets with their target returns, or with past results in their place. The same card,
 * in the same type, warns of losses and shows what history gave.
 */
export function RiskChoice({
  value,
  onChange,
}: {
  value: RiskLevel
  onChange: (level: RiskLevel) => void
}) {
  const evidence = useEvidenceSummary().data
  const namesTargets = useNamesTargets()
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
                <span className="block">
                  {namesTargets && `${t('Target for a year.')} `}
                  {rulesOf(level)}
                </span>
                <span className="mt-0.5 block">
                  {evidenceNote(level, evidence, { median: namesTargets })}
                </span>
              </>
            }
          />
        ))}
        <p className="px-1 pt-1 text-14 text-ink">
          <strong className="font-semibold">{say(namesTargets ? TARGET_NOTE : PAST_NOTE)}</strong>{' '}
          {pricesNote(evidence)}{' '}
          <EvidenceLink sentence={evidence?.state === 'none' ? evidence.sentence : undefined} />
        </p>
      </div>
      <p className="mt-3 text-14 text-ink2">
        {t(
          'Calmer coins get more, wilder ones less. Every level buys when a price trend starts and sells as it ends.',
        )}{' '}
        {t('When no trend is up, the bot is fully in cash.')}
      </p>
    </fieldset>
  )
}

/**
 * The yearly volatility of the example. The strategy's band was set for it (docs/strategies.md).
 */
const USUAL_VOLATILITY = 0.6

/** 'Invests at most 25% in a coin that swings 60% a year.' */
function rulesOf(level: RiskLevel): string {
  const most = Math.min(1, PRESETS[level].targetVolatility / USUAL_VOLATILITY)
  const percent = new Intl.NumberFormat(locale(), { style: 'percent' })
  return t('Invests at most {most} in a coin that swings {swing} a year.', {
    most: percent.format(most),
    swing: percent.format(USUAL_VOLATILITY),
  })
}
