import { t } from '#words/words.ts'
import { useOnline } from '#app/ui/device/use-online.ts'

/** Element id of the shared `OfflineReason`, for `aria-describedby`. */
export const OFFLINE_REASON = 'offline-reason'

/** Why buttons are disabled offline. Adjacent buttons share one. */
export function OfflineReason({ id, className = '' }: { id?: string; className?: string }) {
  const online = useOnline()
  if (online) return null
  return (
    <p role="status" id={id} className={`text-14 text-ink2 ${className}`}>
      {t("You're offline: you can't make changes until you're back online.")}
    </p>
  )
}
