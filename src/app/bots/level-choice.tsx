import { BALANCED_PERCENT } from '#core/strategy/balance.ts'
import { RISK_LEVELS, type RiskLevel } from '#core/strategy/risk-level.ts'
import type { StrategyChoice, StrategyKey } from '#core/strategy/strategy-key.ts'
import { riskTitle } from '#words/names.ts'
import { say, t } from '#words/words.ts'
import { useEvidence } from '#app/evidence/evidence-queries.ts'
import { otherPricesNote, PAST_NOTE } from '#app/evidence/evidence-text.ts'
import { RadioCard } from '#app/ui/forms/radio-card.tsx'
import { EvidenceLink } from './evidence-link.tsx'
import { RiskChoice } from './risk-choice.tsx'
import { strategyNote } from './strategy-note.ts'

/**
 * The risk levels of a kind of bot. One that holds has a single one, so that there is nothing to
 * choose.
 */
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
          'The bot rises and falls exactly as your coins do, which is more than at any other level.',
        )}{' '}
        <PastNote strategy="hold" />
      </p>
      <Warning />
    </div>
  )
}

/** How any twelve months ended, where there is a market to tell it from. */
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
