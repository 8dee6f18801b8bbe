import {
  useCallback,
  useEffect,
  useId,
  useState,
  useSyncExternalStore,
  type ComponentType,
} from 'react'
import { currentToast, onToastChange } from './toast.ts'
import type { ToasterProps } from './toaster.tsx'

/**
 * The outlets on the page. Content below an open dialog is inert, so the last one shows the toast.
 */
const outlets: { id: string; listener: () => void }[] = []

/**
 * A place for toasts: the screen has one, and each dialog has one. It exists before its toasts, so
 * that screen readers announce them. Their UI is loaded with the first toast, so that visits
 * without any do not pay for it. There is no Suspense, which may delay its content by 300 ms, most
 * of the half second before a signed-out user is redirected.
 */
export function ToastOutlet({ inPanel = false }: { inPanel?: boolean }) {
  const id = useId()
  const isLast = useIsLast(id)
  const toast = useSyncExternalStore(onToastChange, currentToast, noToast)
  const [Toaster, setToaster] = useState<ComponentType<ToasterProps>>()
  const toastId = toast?.id
  useEffect(() => {
    if (toastId === undefined) return
    import('./toaster.tsx').then(
      (loaded) => setToaster(() => loaded.Toaster),
      (error: unknown) => console.warn('A toast could not be shown.', error),
    )
  }, [toastId])
  return (
    <div aria-live="polite">
      {toast && Toaster && isLast ? <Toaster toast={toast} inPanel={inPanel} /> : null}
    </div>
  )
}

function useIsLast(id: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      outlets.push({ id, listener })
      tellOutlets()
      return () => {
        outlets.splice(
          outlets.findIndex((outlet) => outlet.id === id),
          1,
        )
        tellOutlets()
      }
    },
    [id],
  )
  return useSyncExternalStore(
    subscribe,
    () => outlets.at(-1)?.id === id,
    () => false,
  )
}

function tellOutlets(): void {
  for (const { listener } of outlets) listener()
}

/** Server-rendered pages have no toast. */
function noToast(): undefined {
  return undefined
}
