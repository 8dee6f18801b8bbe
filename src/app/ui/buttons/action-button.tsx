import { useId, type ComponentProps } from 'react'
import { OfflineReason } from '#app/ui/buttons/offline-reason.tsx'
import { useOnline } from '#app/ui/device/use-online.ts'
import { Button } from './button.tsx'

/**
 * A button that sends something to the server: disabled while offline, with the reason below it.
 */
export function ActionButton({ disabled = false, ...rest }: ComponentProps<typeof Button>) {
  const online = useOnline()
  const reason = useId()
  return (
    <>
      <Button
        {...rest}
        disabled={disabled || !online}
        aria-describedby={online ? rest['aria-describedby'] : reason}
      />
      <OfflineReason id={reason} className="text-center" />
    </>
  )
}
