import { useOnline } from './online.ts'

/** The id of the reason, for the buttons that it explains. */
export const OFFLINE_REASON = 'offline-reason'

/** Why buttons that send something cannot be pressed now; once for all of them that stand together. */
export function OfflineReason({ id, className = '' }: { id?: string; className?: string }) {
  const online = useOnline()
  if (online) return null
  return (
    <p role="status" id={id} className={`text-14 text-ink2 ${className}`}>
      You're offline: nothing can be sent until the connection is back.
    </p>
  )
}
