import { t } from '#words/words.ts'
import { ArrowUp } from '#app/ui/frame/icons.ts'

/**
 * Rows that arrived while the list is read, behind a button over its upper edge: nothing on the
 * screen moves until it is pressed.
 */
export function NewRowsPill({
  count,
  isAll,
  onShow,
}: {
  count: number
  isAll: boolean
  onShow: () => void
}) {
  const show = () => {
    onShow()
    // The button goes away: its focus moves to the list that it was about.
    document.getElementById('transactions')?.focus({ preventScroll: true })
    window.scrollTo({
      top: 0,
      behavior: matchMedia('(prefers-reduced-motion: reduce)').matches ? 'instant' : 'smooth',
    })
  }
  return (
    <div
      role="status"
      className={
        'pointer-events-none sticky top-[calc(env(safe-area-inset-top)+0.5rem)] z-20 -mb-12 ' +
        'grid h-12 place-items-center'
      }
    >
      {count > 0 && (
        <button
          type="button"
          onClick={show}
          className="pointer-events-auto inline-flex min-h-12 items-center gap-1.5 rounded-full border border-transparent bg-accent px-4 text-14
            font-semibold text-on-accent motion-safe:animate-drop"
        >
          <ArrowUp size={18} aria-hidden="true" />{' '}
          {t('{count} new', { count: isAll ? count : `${count}+` })}
        </button>
      )}
    </div>
  )
}
