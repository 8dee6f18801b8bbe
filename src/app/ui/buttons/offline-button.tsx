import type { ComponentProps } from 'react'
import { OFFLINE_REASON } from '#app/ui/buttons/offline-reason.tsx'
import { useOnline } from '#app/ui/device/use-online.ts'
import { Button } from './button.tsx'

/** A button disabled while offline. The screen shows the reason, an `OfflineReason`, once. */
export function OfflineButton(props: ComponentProps<typeof Button>) {
  const online = useOnline()
  return (
    <Button {...props} disabled={!online} aria-describedby={online ? undefined : OFFLINE_REASON} />
  )
}
