import { lazy, Suspense, useSyncExternalStore } from 'react'
import { currentToast, onToastChange } from './toast.ts'

const Toaster = lazy(async () => ({ default: (await import('./toaster.tsx')).Toaster }))

/** Loads the toast's machinery with the first toast: a visit without one pays nothing for it. */
export function ToastOutlet() {
  const toast = useSyncExternalStore(onToastChange, currentToast, noToast)
  return toast ? (
    <Suspense>
      <Toaster toast={toast} />
    </Suspense>
  ) : null
}

/** A prerendered page has none. */
function noToast(): undefined {
  return undefined
}
