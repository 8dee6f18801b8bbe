import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useSyncExternalStore } from 'react'
import type { LiveFigures } from '#contract/screens.ts'
import { msg, say } from '#words/words.ts'
import { currentUntilMs, isUnconfirmed } from '#app/api/answer-times.ts'
import { isFollowed } from '#app/api/freshness.ts'
import { isStreamDown, onStreamHealth } from '#app/api/stream-health.ts'
import { deviceTimeAt } from '#app/ui/device/clock.ts'
import { useDates } from '#app/ui/device/dates.ts'
import { useOnline } from '#app/ui/device/use-online.ts'

const TEXTS: Record<LiveFigures, string> = {
  Prices: msg('Prices from {time}. Reconnecting…'),
  Figures: msg('Figures from {time}. Reconnecting…'),
}

/**
 * While the event stream is down, shows the age of this screen's figures, over the screen's lower
 * edge, so that no content moves. Without a network, the offline banner shows the age instead.
 */
export function StaleLine({ figures }: { figures: LiveFigures }) {
  const sinceMs = useStaleSince()
  const { secondText } = useDates()
  return (
    <div
      role="status"
      className="pointer-events-none fixed right-0 bottom-(--tabs) left-(--rail) z-25"
    >
      {sinceMs !== undefined && (
        <p
          data-stale-line
          className={
            'border-t border-hairline bg-surface px-5 pt-1 pb-[max(0.25rem,var(--foot))] ' +
            'text-center text-14 text-ink2'
          }
        >
          {say(TEXTS[figures], { time: secondText(deviceTimeAt(sinceMs)) })}
        </p>
      )}
    </div>
  )
}

/**
 * Time since which figures are stale. Undefined while the stream is up, and for the first seconds
 * of an outage.
 */
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
  const read = () =>
    isStreamDown() && online && !isUnconfirmed() ? currentUntilMs(client, isFollowed) : undefined
  return useSyncExternalStore(subscribe, read, () => undefined)
}
