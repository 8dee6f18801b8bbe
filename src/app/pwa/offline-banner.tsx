import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useSyncExternalStore } from 'react'
import { t } from '#words/words.ts'
import { isUnconfirmed } from '#app/api/unconfirmed.ts'
import { useDates } from '#app/ui/device/dates.ts'
import { useOnline } from '#app/ui/device/use-online.ts'
import { oldestShown } from './last-known.ts'

/** Shows that there is no network, and how old the oldest figure on the screen is. */
export function OfflineBanner() {
  const online = useOnline()
  const asOf = useAsOf(online)
  const { sinceText } = useDates()
  if (online && asOf === undefined) return null
  return (
    <div role="status" className="bg-ink px-4 py-2.5 text-center text-14 text-balance text-paper">
      {!online && (
        <p className="font-semibold">{t("You're offline. Some features may not be available.")}</p>
      )}
      {asOf !== undefined && (
        <p>
          {t('Last known figures, as of {time}', { time: sinceText(new Date(asOf).toISOString()) })}
        </p>
      )}
    </div>
  )
}

/** Undefined while everything on the screen is confirmed by the server. */
function useAsOf(online: boolean): number | undefined {
  const client = useQueryClient()
  const subscribe = useCallback(
    (listener: () => void) => client.getQueryCache().subscribe(listener),
    [client],
  )
  return useSyncExternalStore(subscribe, () =>
    online && !isUnconfirmed() ? undefined : oldestShown(client),
  )
}
