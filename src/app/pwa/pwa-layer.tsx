import { lazy, Suspense, useSyncExternalStore } from 'react'
import { currentInstallOffer, onInstallOffer } from './install-offer.ts'
import { needsShareMenu } from './installation.ts'
import { OfflineBanner } from './offline-banner.tsx'
import { UpdateBanner } from './update-banner.tsx'
import type { Updates } from './worker-updates.ts'

/** Loaded only when there is an offer. If it cannot be loaded, there is no card. */
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
        className="sticky top-0 z-30 not-empty:mb-[calc(-1*env(safe-area-inset-top))] not-empty:bg-paper
          not-empty:pt-[env(safe-area-inset-top)]"
      >
        <OfflineBanner />
        {updates && <UpdateBanner updates={updates} />}
      </div>
      <Suspense>{isOffered && <InstallCard />}</Suspense>
    </>
  )
}
