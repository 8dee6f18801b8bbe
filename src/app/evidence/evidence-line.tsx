import type { RiskLevel } from '#core/strategy/risk-level.ts'
import { say } from '#words/words.ts'
import { Link } from '#app/ui/frame/link.tsx'
import { useEvidenceSummary } from './evidence-queries.ts'
import { evidenceSentence, NOT_LOADED } from './evidence-text.ts'

/**
 * The evidence behind a claim of returns: in the same card as the claim, in type of at least the
 * same size, linked to the evidence screen. Padding makes it tall enough for a finger; the negative
 * margin keeps it from taking more room.
 */
export function EvidenceLine({
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
