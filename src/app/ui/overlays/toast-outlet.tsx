import { useEffect, useState, useSyncExternalStore, type ComponentType } from 'react'
import { currentToast, onToastChange, type Toast } from './toast.ts'

/**
 * Loads the toast's UI with the first toast, so that visits without one do not pay for it. Without Suspense, which may delay what it
 * reveals by 300 ms: that is most of the half second before a signed-out user is redirected.
 */
export function ToastOutlet() {
  const toast = useSyncExternalStore(onToastChange, currentToast, noToast)
  const [Toaster, setToaster] = useState<ComponentType<{ toast: Toast }>>()
  const id = toast?.id
  useEffect(() => {
    if (id === undefined) return
    import('./toaster.tsx').then(
      (loaded) => setToaster(() => loaded.Toaster),
      (error: unknown) => console.warn('A toast could not be shown.', error),
    )
  }, [id])
  return toast && Toaster ? <Toaster toast={toast} /> : null
}

/** Server-rendered pages have no toast. */
function noToast(): undefined {
  return undefined
}
