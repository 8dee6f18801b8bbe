import { lazy, Suspense, useCallback, useSyncExternalStore } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { t } from '#words/words.ts'
import { currentUntilMs, isUnconfirmed } from '#app/api/answer-times.ts'
import { deviceTimeAt } from '#app/ui/device/clock.ts'
import { useDates } from '#app/ui/device/dates.ts'
import { useOnline } from '#app/ui/device/use-online.ts'
import { useCarefulReload } from '#app/ui/overlays/careful-reload.tsx'
import { currentInstallOffer, onInstallOffer } from './install-offer.ts'
import { needsShareMenu } from './installation.ts'
import { isKept } from './last-known.ts'
import type { Updates } from './worker-updates.ts'

/** Loaded only when there is an offer. If the code cannot be loaded, no card is shown. */
const InstallCard = lazy(() =>
  import('./install-card.tsx').then(
    ({ InstallCard: card }) => ({ default: card }),
    () => ({ default: () => null }),
  ),
)

/**
 * The banners above every screen, and the install card at its lower edge. Both banners and screens
 * keep clear of a notch.
 */
export function PwaLayer({ updates }: { updates: Updates | undefined }) {
  const isOffered =
    useSyncExternalStore(onInstallOffer, currentInstallOffer) !== undefined || needsShareMenu()
  return (
    <>
      <div
        className={
          'sticky top-0 z-30 not-empty:mb-[calc(-1*env(safe-area-inset-top))] ' +
          'not-empty:bg-paper not-empty:pt-[env(safe-area-inset-top)]'
        }
      >
        <OfflineBanner />
        {updates && <UpdateBanner updates={updates} />}
      </div>
      <Suspense>{isOffered && <InstallCard />}</Suspense>
    </>
  )
}

/** Shows that there is no network, and the age of the oldest figure on the screen. */
function OfflineBanner() {
  const online = useOnline()
  const asOf = useAsOf(online)
  const { sinceText } = useDates()
  if (online && asOf === undefined) return null
  return (
    <div role="status" className="bg-ink px-4 py-2.5 text-center text-14 text-balance text-paper">
      {!online && (
        <p className="font-semibold">{t("You're offline. Some features may not be available.")}</p>
      )}
      {asOf !== undefined && (
        <p>
          {t('Last known figures, as of {time}', {
            time: sinceText(deviceTimeAt(asOf).toISOString()),
          })}
        </p>
      )}
    </div>
  )
}

function useAsOf(online: boolean): number | undefined {
  const client = useQueryClient()
  const subscribe = useCallback(
    (listener: () => void) => client.getQueryCache().subscribe(listener),
    [client],
  )
  return useSyncExternalStore(subscribe, () =>
    online && !isUnconfirmed()
      ? undefined
      : currentUntilMs(client, (name) => name !== 'getConfig' && isKept(name)),
  )
}

/**
 * Offers the newer version. Disabled while an action is in flight; asks for confirmation if a form
 * is partly filled in.
 */
function UpdateBanner({ updates }: { updates: Updates }) {
  const ready = useSyncExternalStore(updates.onChange, updates.isReady)
  const isBusy = useIsBusy()
  const { begin, dialog } = useCarefulReload({
    reload: updates.apply,
    question: t('Update and lose what you typed?'),
    confirmLabel: t('Update Now'),
    reason: t('The update reloads this screen. Nothing has been sent yet.'),
  })
  if (!ready) return null
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
