import { Link } from 'wouter'
import type { LevelEvidence } from '#contract/evidence.ts'
import type { RiskLevel } from '#core/strategy/risk-level.ts'
import { useEvidence } from '../api/queries.ts'
import { percentText } from './money-format.ts'

type Props = { riskLevel: RiskLevel; className?: string }

/** What a claim of returns is worth: stands in the same card as the claim, never smaller, and leads to where it comes from. */
export function EvidenceLine({ riskLevel, className = '' }: Props) {
  const evidence = useEvidence()
  return (
    <Link href="/evidence" className={`block underline decoration-control decoration-1 underline-offset-[0.2em] ${className}`}>
      {evidence.isError ? 'The evidence could not be loaded.' : sentenceFor(riskLevel, evidence.data)}
    </Link>
  )
}

function sentenceFor(riskLevel: RiskLevel, evidence: ReturnType<typeof useEvidence>['data']): string {
  if (!evidence) return 'The evidence is being computed.'
  if (evidence.state !== 'figures') return evidence.sentence
  const level = evidence.figures.levels.find((each) => each.riskLevel === riskLevel)
  return level ? levelSentence(level) : ''
}

/** 'Moderate bots, 12 months after costs: median +16.04%, worst −13.31%, 24.35% of windows lost money.' */
function levelSentence({ riskLevel, median, worst, losingPercent }: LevelEvidence): string {
  const name = riskLevel.charAt(0).toUpperCase() + riskLevel.slice(1)
  return (
    `${name} bots, any 12 months after costs: median ${percentText(median.percent)}, worst ${percentText(worst.percent)}, ` +
    `${percentText(losingPercent, { sign: 'never' })} of them lost money.`
  )
}
