import type { RiskLevel } from '#core/strategy/risk-level.ts'
import { say, t } from '#words/words.ts'
import { useConfig } from '#app/api/queries.ts'
import { useEvidenceSummary } from '#app/evidence/evidence-queries.ts'
import {
  evidenceSentence,
  levelOf,
  medianText,
  NOT_LOADED,
  PAST_NOTE,
  TARGET_NOTE,
  useNamesTargets,
} from '#app/evidence/evidence-text.ts'
import { dotsOf, HundredDots } from '#app/ui/charts/hundred-dots.tsx'
import { Link } from '#app/ui/frame/link.tsx'

/** Dots of one kind, until the figures are known. */
const UNKNOWN = { losingPercent: '0.00', reachedPercent: '0.00' }

/**
 * The claim, with warning and evidence in the same card and size: the highest target and the
 * evidence of that risk level or, without targets, past results of a new bot's default level.
 * `compact`: a smaller card, in which the warning is not smaller than the claim.
 */
export function ClaimCard({ compact = false }: { compact?: boolean }) {
  const isSimulated = useConfig().data?.feed.kind === 'simulated'
  const evidence = useEvidenceSummary().data
  const namesTargets = useNamesTargets()
  const riskLevel = namesTargets ? 'aggressive' : 'moderate'
  // Space reserved for the figures, so that nothing below moves when they load. On a simulated
  // market the source of the prices is added.
  const figures = isSimulated
    ? 'min-h-[calc(5lh+9px)] max-[359px]:min-h-[calc(6lh+9px)]'
    : 'min-h-[calc(4lh+9px)] max-[359px]:min-h-[calc(5lh+9px)]'
  const room = evidence?.state === 'none' && isSimulated ? '' : figures
  return (
    <div
      className={
        'rounded-sheet border-[1.5px] border-ink bg-surface px-[min(1.25rem,5vw)] py-4 ' +
        (compact ? 'text-17' : 'text-20')
      }
    >
      <p className="font-semibold">
        {namesTargets
          ? t('Up to 75% Returns')
          : t('Returns: {median}', { median: medianText(riskLevel, evidence) })}
      </p>
      <p className="font-semibold">{say(namesTargets ? TARGET_NOTE : PAST_NOTE)}</p>
      {evidence?.state === 'none' ? null : (
        <div className="pt-3 pb-1">
          <HundredDots dots={dotsOf(levelOf(riskLevel, evidence) ?? UNKNOWN)} />
        </div>
      )}
      <p className={`mt-2 border-t border-dotted border-control pt-2 ${room}`}>
        <EvidenceLine riskLevel={riskLevel} median={namesTargets} className="text-ink" />
      </p>
    </div>
  )
}

/**
 * The evidence of a claim of returns, in type of at least the same size. Padding makes the link
 * tall enough for a finger; the negative margin takes the extra space back.
 */
function EvidenceLine({
  riskLevel,
  median = true,
  className = '',
}: {
  riskLevel: RiskLevel
  median?: boolean
  className?: string
}) {
  const evidence = useEvidenceSummary()
  return (
    <Link
      href="/evidence"
      className={
        '-my-3 block py-3 underline decoration-control decoration-1 underline-offset-[0.2em] ' +
        className
      }
    >
      {evidence.isError ? say(NOT_LOADED) : evidenceSentence(riskLevel, evidence.data, { median })}
    </Link>
  )
}
