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
 * The outlets on the page. The last one shows the toast, because content below an open dialog is
 * inert.
 */
const outlets: { id: string; listener: () => void }[] = []

/**
 * A place for toasts: one on the screen, and one in each dialog. Exists before its toasts, so that
 * screen readers announce them. The code of toasts is loaded with the first one, to keep other
 * visits small. Does not use Suspense, which may delay a toast by 300 ms: a signed-out user is
 * redirected after half a second.
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
      (error: unknown) => console.warn('Toast not shown.', error),
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

/** The server's snapshot: rendered pages have no toast. */
function noToast(): undefined {
  return undefined
}
