import { WifiOff } from 'lucide-react'
import { useOnline } from './online.ts'

export function OfflineBanner() {
  const online = useOnline()
  if (online) return null
  return (
    <p role="status" className="flex items-center justify-center gap-2 bg-ink px-5 py-2.5 text-14 font-medium text-paper">
      <WifiOff size={18} aria-hidden="true" className="shrink-0" />
      You're offline. Some features may not be available.
    </p>
  )
}
