import type { WaitingPair } from '#contract/wire.ts'
import { waitReasonText } from '#words/wait-text.ts'
import { t } from '#words/words.ts'
import { pairText } from './market-text.ts'
import { useMarketTime } from './market-time.ts'

/** Pairs whose coins a bot cannot sell, or could not sell when it paid a part of its money. */
export function WaitingPairs({ pairs }: { pairs: readonly WaitingPair[] }) {
  const { momentText } = useMarketTime()
  if (pairs.length === 0) return null
  return (
    <ul className="mt-3 rounded-sheet border border-hairline bg-surface p-4">
      {pairs.map(({ pair, reason, since }) => (
        <li key={pair} className="text-14 text-ink">
          <span className="font-semibold">
            {t('Not sold since {since}:', { since: momentText(since) })}
          </span>{' '}
          {waitReasonText({ reason, pair: pairText(pair) })}
        </li>
      ))}
    </ul>
  )
}
