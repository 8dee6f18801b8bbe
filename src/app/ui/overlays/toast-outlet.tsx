import { useEffect, useState, useSyncExternalStore, type ComponentType } from 'react'
import { currentToast, onToastChange, type Toast } from './toast.ts'

/**
 * Loads the toast's machinery with the first toast: a visit without one pays nothing for it. By hand and not by Suspense, which holds back
 * what it waited for by up to 300 ms: of the half second before a signed-out user is sent away, most would be gone.
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

/** A prerendered page has none. */
function noToast(): undefined {
  return undefined
}
