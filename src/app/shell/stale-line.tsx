import { useQueryClient, type Query } from '@tanstack/react-query'
import { useCallback, useSyncExternalStore } from 'react'
import { KEPT_CURRENT } from '#app/api/events.ts'
import { currentUntilMs, isStreamAway, onStreamHealth } from '#app/api/stream-health.ts'
import { isUnconfirmed } from '#app/api/unconfirmed.ts'
import { useDates } from '#app/ui/device/dates.ts'
import { useOnline } from '#app/ui/device/use-online.ts'

/** Figures that are valued at the last price, or figures that only move when money does. */
export type LiveFigures = 'Prices' | 'Figures'

/**
 * How old the figures on this screen are, while the server cannot say that they changed. It lies over the screen's lower edge, above the
 * tabs, so that nothing moves. Without a network the banner above the screen says so.
 */
export function StaleLine({ figures }: { figures: LiveFigures }) {
  const sinceMs = useStaleSince()
  const { secondText } = useDates()
  return (
    <div role="status" className="pointer-events-none fixed inset-x-0 bottom-0 z-25 in-[body:has(nav)]:bottom-[calc(env(safe-area-inset-bottom)+3.75rem+1px)]">
      {sinceMs !== undefined && (
        <p data-stale-line className="border-t border-hairline bg-surface px-5 py-1 text-center text-14 text-ink2 not-in-[body:has(nav)]:pb-safe">
          {figures} from {secondText(new Date(sinceMs))}. Reconnecting…
        </p>
      )}
    </div>
  )
}

const isKeptCurrent = ({ queryKey }: Query) => KEPT_CURRENT.has(queryKey[0])

/** Undefined while the stream is there, or was a moment ago. */
function useStaleSince(): number | undefined {
  const client = useQueryClient()
  const online = useOnline()
  const subscribe = useCallback(
    (listener: () => void) => {
      const stops = [onStreamHealth(listener), client.getQueryCache().subscribe(listener)]
      return () => stops.forEach((stop) => stop())
    },
    [client],
  )
  const read = () => (isStreamAway() && online && !isUnconfirmed() ? currentUntilMs(client, isKeptCurrent) : undefined)
  return useSyncExternalStore(subscribe, read, () => undefined)
}
