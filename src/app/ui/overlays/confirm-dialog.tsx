import { AlertDialog } from 'radix-ui'
import type { ReactNode } from 'react'
import { buttonStyle } from '#app/ui/buttons/button.tsx'
import { useFocusReturn } from './use-focus-return.ts'

type Props = {
  open: boolean
  /** Also called when Escape dismisses the dialog. */
  onCancel: () => void
  /** Does not close the dialog: the caller does. */
  onConfirm: () => void
  question: string
  children: ReactNode
  confirmLabel: string
  cancelLabel?: string
  /** `accent` if confirming is harmless. */
  tone?: 'danger' | 'accent'
}

/** Asks for confirmation before an action. The safe answer has the initial focus. */
export function ConfirmDialog(props: Props) {
  const focusReturn = useFocusReturn()
  const { open, onCancel, onConfirm, question, children, confirmLabel, cancelLabel = 'Cancel', tone = 'danger' } = props
  return (
    <AlertDialog.Root open={open} onOpenChange={(next) => !next && onCancel()}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="fixed inset-0 z-40 bg-veil motion-safe:data-[state=open]:animate-fade" />
        <AlertDialog.Content
          {...focusReturn}
          className="fixed inset-x-5 top-1/2 z-50 mx-auto max-h-[90dvh] max-w-104 -translate-y-1/2 overflow-y-auto rounded-sheet
            bg-surface p-5 text-ink motion-safe:data-[state=open]:animate-fade"
        >
          <AlertDialog.Title className="text-20 font-semibold">{question}</AlertDialog.Title>
          <AlertDialog.Description asChild>
            <div className="mt-2 text-16 text-ink2">{children}</div>
          </AlertDialog.Description>
          <div className="mt-5 grid grid-cols-2 gap-3">
            <AlertDialog.Cancel className={buttonStyle('outline')}>{cancelLabel}</AlertDialog.Cancel>
            <button type="button" onClick={onConfirm} className={buttonStyle(tone === 'danger' ? 'danger' : 'primary')}>
              {confirmLabel}
            </button>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
