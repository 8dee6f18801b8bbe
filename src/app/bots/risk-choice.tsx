import { TARGETS } from '#core/evidence/target.ts'
import { RISK_LEVELS, riskTitle, type RiskLevel } from '#core/strategy/risk-level.ts'
import { useConfig, useEvidence } from '#app/api/queries.ts'
import { evidenceNote, TARGET_NOTE } from '#app/evidence/evidence-text.ts'
import { RadioCard } from '#app/ui/forms/radio-card.tsx'

/** The three presets with their target returns. The same card, in the same type, warns of losses and shows what history gave. */
export function RiskChoice({ value, onChange }: { value: RiskLevel; onChange: (level: RiskLevel) => void }) {
  const evidence = useEvidence().data
  const isSimulated = useConfig().data?.feed.kind === 'simulated'
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
            title={riskTitle(level)}
            detail={`${TARGETS[level].from}-${TARGETS[level].to}% returns`}
            note={isSimulated ? undefined : evidenceNote(level, evidence)}
          />
        ))}
        <p className="px-1 pt-1 text-14 text-ink">
          <strong className="font-semibold">{TARGET_NOTE}</strong> <EvidenceLink sentence={evidence?.state === 'none' ? evidence.sentence : undefined} />
        </p>
      </div>
    </fieldset>
  )
}

/** Opens in a new tab, so that the form keeps what was typed. */
function EvidenceLink({ sentence = 'See the evidence' }: { sentence?: string | undefined }) {
  return (
    <a href="/evidence" target="_blank" rel="noreferrer" className="inline-block py-0.5 text-ink underline decoration-control underline-offset-[0.2em]">
      {sentence}
      <span className="sr-only"> (opens in a new tab)</span>
    </a>
  )
}
