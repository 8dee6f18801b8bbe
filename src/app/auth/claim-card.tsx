import type { ReactNode } from 'react'
import { say, t } from '#words/words.ts'
import { useEvidenceSummary } from '#app/evidence/evidence-queries.ts'
import {
  levelOf,
  medianText,
  missingText,
  NOT_LOADED,
  PAST_NOTE,
  sourceText,
  TARGET_NOTE,
  useNamesTargets,
  type LevelSummary,
} from '#app/evidence/evidence-text.ts'
import { dotsOf, HundredDots } from '#app/ui/charts/hundred-dots.tsx'
import { Link } from '#app/ui/frame/link.tsx'
import { percentText } from '#app/ui/money/money.tsx'
import { Trans } from '#app/ui/words/trans.tsx'

/** Draws equal dots until the figures are known. */
const UNKNOWN = { losingPercent: '0.00', reachedPercent: '0.00' }

/**
 * The highest target, with its warning and the evidence of that risk level in the same card and
 * size. Without targets: past results of the level that a new bot has by default.
 */
export function ClaimCard() {
  const evidence = useEvidenceSummary()
  const namesTargets = useNamesTargets()
  const riskLevel = namesTargets ? 'aggressive' : 'moderate'
  const level = levelOf(riskLevel, evidence.data)
  return (
    <div
      className={
        'rounded-sheet border-[1.5px] border-ink bg-surface px-[min(1.125rem,5vw)] py-3.5 text-17'
      }
    >
      <p className="font-semibold">
        {namesTargets
          ? t('Up to 75% Returns')
          : t('Returns: {median}', { median: medianText(riskLevel, evidence.data) })}
      </p>
      <p className="font-semibold">{say(namesTargets ? TARGET_NOTE : PAST_NOTE)}</p>
      {evidence.data?.state === 'none' ? null : (
        <div className="pt-3 pb-1">
          <HundredDots dots={dotsOf(level ?? UNKNOWN)} />
        </div>
      )}
      {/* Space reserved for the figures, so that nothing below moves when they load. */}
      <div className={evidence.data?.state === 'none' ? '' : 'min-h-30 sm:min-h-18'}>
        <EvidenceLink>
          {level ? (
            <Outcome level={level} />
          ) : evidence.isError ? (
            say(NOT_LOADED)
          ) : (
            missingText(evidence.data)
          )}
        </EvidenceLink>
        {level && (
          <p className="text-14 text-pretty text-ink2">{sourceText(riskLevel, evidence.data)}</p>
        )}
      </div>
    </div>
  )
}

/** States as many losses as the dots show. */
function Outcome({ level }: { level: LevelSummary }) {
  return (
    <Trans
      message="<lost>{count} of 100</lost> starts lost money after 12 months. Median {median}, worst {worst}."
      lost={inLossColor}
      count={String(dotsOf(level).lost)}
      median={percentText(level.median)}
      worst={percentText(level.worst)}
    />
  )
}

const inLossColor = (words: ReactNode) => <b className="font-semibold text-loss">{words}</b>

/**
 * The evidence of a claim of returns, in type of at least the same size. Padding makes the link
 * tall enough for a finger; the negative margin takes the extra space back.
 */
function EvidenceLink({ children }: { children: ReactNode }) {
  return (
    <Link
      href="/evidence"
      className={
        '-mt-1 -mb-3 block pt-3 pb-3 text-ink underline decoration-control decoration-1 ' +
        'underline-offset-[0.2em]'
      }
    >
      {children}
    </Link>
  )
}
