import { useConfig } from '../api/queries.ts'

/** The claim, and in the same card and type the truth about it. */
export function ClaimCard() {
  const feed = useConfig().data?.feed
  return (
    <div className="rounded-sheet border-[1.5px] border-ink bg-surface px-5 py-4">
      <p className="text-20 font-semibold">Up to 75% Returns</p>
      <p className="text-20 font-semibold">Target, not a promise: you can lose money.</p>
      <p className="mt-2 min-h-5 border-t border-dotted border-control pt-2 text-14 text-ink2">
        {feed && (feed.kind === 'simulated' ? 'Simulated market: no evidence' : `Prices: ${feed.label}. No evidence computed yet.`)}
      </p>
    </div>
  )
}
