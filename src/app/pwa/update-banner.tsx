import { useIsMutating } from '@tanstack/react-query'
import { lazy, Suspense, useState, useSyncExternalStore } from 'react'
import { t } from '#words/words.ts'
import { hasUnfinishedWork } from './unfinished-work.ts'
import type { Updates } from './worker-updates.ts'

const loadDialog = () => import('#app/ui/overlays/confirm-dialog.tsx')
const ConfirmDialog = lazy(async () => ({ default: (await loadDialog()).ConfirmDialog }))

/** Offers the newer version. Disabled while an action is in flight; asks for confirmation if a form is partly filled in. */
export function UpdateBanner({ updates }: { updates: Updates }) {
  const ready = useSyncExternalStore(updates.onChange, updates.isReady)
  const isBusy = useIsBusy()
  const [asking, setAsking] = useState<'never' | 'open' | 'closed'>('never')
  if (!ready) return null
  const question = t('Update and lose what you typed?')
  // The dialog's file may be gone with the old version: then the browser's own dialog asks.
  const ask = () =>
    loadDialog().then(
      () => setAsking('open'),
      () => window.confirm(question) && updates.apply(),
    )
  const update = () => (hasUnfinishedWork(document) ? void ask() : updates.apply())
  return (
    <div className="border-b border-hairline bg-surface text-ink">
      <div role="status" className="mx-auto flex max-w-page items-center justify-between gap-3 pr-3 pl-5">
        <p className="text-16 font-medium">{t('New version available!')}</p>
        <button
          type="button"
          disabled={isBusy}
          onClick={update}
          className="min-h-12 shrink-0 rounded-control px-2 text-16 font-semibold text-accent disabled:opacity-60"
        >
          {t('Update Now')}
        </button>
      </div>
      {asking !== 'never' && (
        <Suspense>
          <ConfirmDialog
            open={asking === 'open'}
            onCancel={() => setAsking('closed')}
            onConfirm={updates.apply}
            question={question}
            confirmLabel={t('Update Now')}
            cancelLabel={t('Finish first')}
            tone="accent"
          >
            {t('The update reloads this screen. No money has moved: nothing has been sent yet.')}
          </ConfirmDialog>
        </Suspense>
      )}
    </div>
  )
}

/** True while an action is in flight. */
function useIsBusy(): boolean {
  const client = useQueryClient()
  const subscribe = useCallback((listener: () => void) => client.getMutationCache().subscribe(listener), [client])
  return useSyncExternalStore(subscribe, () => client.isMutating() > 0)
}
