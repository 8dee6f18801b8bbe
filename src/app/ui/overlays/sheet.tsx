import { useId, type ReactNode } from 'react'
import { t } from '#words/words.ts'
import { IconButton } from '#app/ui/buttons/button.tsx'
import { X } from '#app/ui/frame/later-icons.ts'
import { WholeAmounts } from '#app/ui/frame/whole-amounts.tsx'
import { Modal } from './modal.tsx'

/**
 * A sheet from the lower edge of a phone, and a dialog in the middle of wider screens. Closes on
 * Escape, Back, or a tap beside it.
 */
export function Sheet({
  open,
  onClose,
  title,
  description,
  loads = false,
  children,
}: {
  open: boolean
  onClose: () => void
  title: string
  /** Empty while it loads. */
  description?: string
  /**
   * Whether the contents arrive later; then the upper edge does not move, so that a press on Close
   * does not miss.
   */
  loads?: boolean
  children: ReactNode
}) {
  const id = useId()
  return (
    <Modal
      open={open}
      onClose={onClose}
      labelledBy={`${id}-title`}
      describedBy={description === undefined ? undefined : `${id}-description`}
      panelClass={
        'absolute inset-x-0 bottom-0 max-h-[calc(100%-4rem)] rounded-t-sheet md:mx-auto ' +
        'md:my-auto md:h-fit md:w-full md:max-w-form md:rounded-sheet ' +
        (loads ? 'h-full md:top-8 md:bottom-auto' : 'md:top-0')
      }
    >
      <div className="flex items-start justify-between gap-3 pt-3 pr-3 pl-5">
        <div className="min-w-0 pt-2.5">
          <h2 id={`${id}-title`} className="text-20 font-semibold">
            {title}
          </h2>
          {description !== undefined && (
            <p id={`${id}-description`} className="mt-1 min-h-5 text-14 text-pretty text-ink2">
              <WholeAmounts text={description} />
            </p>
          )}
        </div>
        <IconButton data-first-focus icon={X} label={t('Close')} onClick={onClose} />
      </div>
      <div
        className={
          `min-h-0 ${loads ? 'flex-1' : ''} overflow-y-auto overscroll-contain px-5 pt-3 ` +
          'pb-[calc(env(safe-area-inset-bottom)+1.5rem)]'
        }
      >
        {children}
      </div>
    </Modal>
  )
}
