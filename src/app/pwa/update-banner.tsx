import { useCallback, useSyncExternalStore } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { t } from '#words/words.ts'
import { useCarefulReload } from '#app/ui/overlays/careful-reload.tsx'

/**
 * Offers the newer version. Disabled while an action is in flight; asks for confirmation if a form
 * is partly filled in.
 */
export function UpdateBanner({ apply }: { apply: () => void }) {
  const isBusy = useIsBusy()
  const { begin, dialog } = useCarefulReload({
    reload: apply,
    question: t('Update and lose what you typed?'),
    confirmLabel: t('Update Now'),
    reason: t('The update reloads this screen. Nothing has been sent yet.'),
  })
  return (
    <div className="border-b border-hairline bg-surface text-ink">
      <div
        role="status"
        className="mx-auto flex max-w-page items-center justify-between gap-3 pr-3 pl-5"
      >
        <p className="text-16 font-medium">{t('New version available!')}</p>
        <button
          type="button"
          disabled={isBusy}
          onClick={begin}
          className={
            'min-h-12 shrink-0 rounded-control px-2 text-16 font-semibold text-accent ' +
            'disabled:opacity-60'
          }
        >
          {t('Update Now')}
        </button>
      </div>
      {dialog}
    </div>
  )
}

function useIsBusy(): boolean {
  const client = useQueryClient()
  const subscribe = useCallback(
    (listener: () => void) => client.getMutationCache().subscribe(listener),
    [client],
  )
  return useSyncExternalStore(subscribe, () => client.isMutating() > 0)
}
