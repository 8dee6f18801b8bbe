import { X } from 'lucide-react'
import { Dialog } from 'radix-ui'
import type { ReactNode } from 'react'
import { IconButton } from '#app/ui/buttons/icon-button.tsx'
import { useFocusReturn } from './use-focus-return.ts'

type Props = {
  open: boolean
  onClose: () => void
  title: string
  /** Announced together with the title. */
  description?: string
  children: ReactNode
}

/** A bottom sheet. It traps the focus, closes on Escape or a tap on the backdrop, and returns the focus. */
export function Sheet({ open, onClose, title, description, children }: Props) {
  const focusReturn = useFocusReturn()
  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay
          className="fixed inset-0 z-40 bg-veil motion-safe:data-[state=closed]:animate-fade-out
            motion-safe:data-[state=open]:animate-fade"
        />
        <Dialog.Content
          {...focusReturn}
          {...(description ? {} : { 'aria-describedby': undefined })}
          // React events bubble through portals: a form in the sheet must not submit the form that opened it.
          onSubmit={(event) => event.stopPropagation()}
          // Radix gives Escape to the latest layer alone, which is the toast if one came up over the sheet.
          onKeyDown={(event) => event.key === 'Escape' && onClose()}
          className="fixed inset-x-0 bottom-0 z-50 mx-auto flex max-h-[86dvh] w-full max-w-page flex-col rounded-t-sheet bg-surface text-ink
            motion-safe:data-[state=closed]:animate-sink motion-safe:data-[state=open]:animate-rise"
        >
          <div className="flex items-start justify-between gap-3 pt-3 pr-3 pl-5">
            <div className="pt-2.5">
              <Dialog.Title className="text-20 font-semibold">{title}</Dialog.Title>
              {description && <Dialog.Description className="mt-1 text-14 text-ink2">{description}</Dialog.Description>}
            </div>
            <Dialog.Close asChild>
              <IconButton icon={X} label="Close" />
            </Dialog.Close>
          </div>
          <div className="overflow-y-auto overscroll-contain px-5 pt-3 pb-[calc(env(safe-area-inset-bottom)+1.5rem)]">{children}</div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
