import { useConfig } from '#app/api/queries.ts'
import { EvidenceLine } from '#app/evidence/evidence-line.tsx'

/**
 * The claim, and in the same card and type the truth about it. The claim is the aim of the highest risk level, so its evidence stands here.
 * `compact` is for where the card is not the screen's first matter: the whole card is smaller, never the truth alone.
 */
export function ClaimCard({ compact = false }: { compact?: boolean }) {
  const isSimulated = useConfig().data?.feed.kind === 'simulated'
  // The figures take the place that was kept for them: nothing below moves when they come.
  const room = isSimulated ? '' : 'min-h-[calc(4lh+9px)] max-[359px]:min-h-[calc(5lh+9px)]'
  return (
    <div className={`rounded-sheet border-[1.5px] border-ink bg-surface px-5 py-4 ${compact ? 'text-17' : 'text-20'}`}>
      <p className="font-semibold">Up to 75% Returns</p>
      <p className="font-semibold">Target, not a promise: you can lose money.</p>
      <p className={`mt-2 border-t border-dotted border-control pt-2 ${room}`}>
        <EvidenceLine riskLevel="aggressive" className="text-ink" />
      </p>
    </div>
  )
}
