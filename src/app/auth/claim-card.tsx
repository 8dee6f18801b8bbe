import { useConfig } from '#app/api/queries.ts'
import { EvidenceLine } from '#app/evidence/evidence-line.tsx'
import { TARGET_NOTE } from '#app/evidence/evidence-text.ts'

/**
 * The claim, and in the same card and type a warning and the evidence. The claim is the target of the highest risk level, so the evidence is
 * that level's. `compact` is for screens about something else: it makes the whole card smaller, never the warning alone.
 */
export function ClaimCard({ compact = false }: { compact?: boolean }) {
  const isSimulated = useConfig().data?.feed.kind === 'simulated'
  // Space reserved for the figures, so that nothing below moves when they load.
  const room = isSimulated ? '' : 'min-h-[calc(4lh+9px)] max-[359px]:min-h-[calc(5lh+9px)]'
  return (
    <div className={`rounded-sheet border-[1.5px] border-ink bg-surface px-5 py-4 ${compact ? 'text-17' : 'text-20'}`}>
      <p className="font-semibold">Up to 75% Returns</p>
      <p className="font-semibold">{TARGET_NOTE}</p>
      <p className={`mt-2 border-t border-dotted border-control pt-2 ${room}`}>
        <EvidenceLine riskLevel="aggressive" className="text-ink" />
      </p>
    </div>
  )
}
