import { RISK_LEVELS, type RiskLevel } from '#core/strategy/risk-level.ts'
import { useConfig } from '../api/queries.ts'
import { RadioCard } from '../ui/radio-card.tsx'

const BANDS: Record<RiskLevel, { title: string; band: string }> = {
  conservative: { title: 'Conservative', band: '15-25% returns' },
  moderate: { title: 'Moderate', band: '25-50% returns' },
  aggressive: { title: 'Aggressive', band: '50-75% returns' },
}

/** The three presets with the product's bands, and in the same card and type what those bands are not. */
export function RiskChoice({ value, onChange }: { value: RiskLevel; onChange: (level: RiskLevel) => void }) {
  const feed = useConfig().data?.feed
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 text-14 font-medium">Risk level</legend>
      <div className="flex flex-col gap-2 rounded-sheet border border-hairline p-3">
        {RISK_LEVELS.map((level) => (
          <RadioCard
            key={level}
            name="riskLevel"
            value={level}
            checked={level === value}
            onChoose={() => onChange(level)}
            title={BANDS[level].title}
            detail={BANDS[level].band}
          />
        ))}
        <p className="px-1 pt-1 text-14 text-ink">
          <strong className="font-semibold">Target, not a promise: you can lose money.</strong>{' '}
          <span className="text-ink2">{feed?.kind === 'simulated' ? 'Simulated market: no evidence' : null}</span>
        </p>
      </div>
    </fieldset>
  )
}
