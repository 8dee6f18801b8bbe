import { useId, type ReactNode } from 'react'
import { t } from '#words/words.ts'
import { buttonStyle } from '#app/ui/buttons/button.tsx'
import { Modal } from './modal.tsx'

type ConfirmDialogProps = {
  open: boolean
  onCancel: () => void
  /** Must close the dialog: it does not close by itself. */
  onConfirm: () => void
  question: string
  children: ReactNode
  confirmLabel: string
  cancelLabel?: string
  tone?: 'danger' | 'accent'
}

/** Asks for confirmation before an action. The safe answer is focused first. */
export function ConfirmDialog({
  open,
  onCancel,
  onConfirm,
  question,
  children,
  confirmLabel,
  cancelLabel = t('Cancel'),
  tone = 'danger',
}: ConfirmDialogProps) {
  const id = useId()
  return (
    <Modal
      open={open}
      onClose={onCancel}
      role="alertdialog"
      labelledBy={`${id}-question`}
      describedBy={`${id}-reason`}
      isFirm
      panelClass={
        'absolute inset-0 m-auto h-fit max-h-[calc(100%-2rem)] w-[calc(100%-2.5rem)] ' +
        'max-w-104 overflow-y-auto rounded-sheet p-5'
      }
    >
      <h2 id={`${id}-question`} className="text-20 font-semibold">
        {question}
      </h2>
      <div id={`${id}-reason`} className="mt-2 text-16 text-ink2">
        {children}
      </div>
      <div className="mt-5 grid grid-cols-[repeat(auto-fit,minmax(7.5rem,1fr))] gap-3">
        <button
          data-first-focus
          type="button"
          onClick={onCancel}
          className={buttonStyle('outline')}
        >
          {cancelLabel}
        </button>
        <button
          type="button"
          onClick={onConfirm}
          className={buttonStyle(tone === 'danger' ? 'danger' : 'primary')}
        >
          {confirmLabel}
        </button>
      </div>
    </Modal>
  )
}
