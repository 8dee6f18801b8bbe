import { useState, type ComponentProps } from 'react'
import { Button } from '#app/ui/buttons/button.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'

type Dialog = ComponentProps<typeof ConfirmDialog>

/** A button whose action requires a confirmation. `why`: the consequences. */
export function ConfirmedButton({
  question,
  why,
  confirmLabel,
  tone,
  onConfirm,
  ...button
}: Omit<ComponentProps<typeof Button>, 'onClick'> &
  Pick<Dialog, 'question' | 'confirmLabel' | 'tone' | 'onConfirm'> & { why: string }) {
  const [asking, setAsking] = useState(false)
  return (
    <>
      <Button {...button} onClick={() => setAsking(true)} />
      <ConfirmDialog
        open={asking}
        onCancel={() => setAsking(false)}
        onConfirm={() => {
          setAsking(false)
          onConfirm()
        }}
        question={question}
        confirmLabel={confirmLabel}
        {...(tone && { tone })}
      >
        {why}
      </ConfirmDialog>
    </>
  )
}
