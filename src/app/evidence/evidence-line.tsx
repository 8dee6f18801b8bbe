import { Link } from 'wouter'
import type { RiskLevel } from '#core/strategy/risk-level.ts'
import { useEvidence } from '#app/api/queries.ts'
import { evidenceSentence, NOT_LOADED } from './evidence-text.ts'

/**
 * What a claim of returns is worth: stands in the same card as the claim, never smaller, and leads to where it comes from.
 * A line of its own is no link within a sentence: it is as tall as a finger needs, without taking more room.
 */
export function EvidenceLine({ riskLevel, className = '' }: { riskLevel: RiskLevel; className?: string }) {
  const evidence = useEvidence()
  return (
    <Link href="/evidence" className={`-my-3 block py-3 underline decoration-control decoration-1 underline-offset-[0.2em] ${className}`}>
      {evidence.isError ? NOT_LOADED : evidenceSentence(riskLevel, evidence.data)}
    </Link>
  )
}
