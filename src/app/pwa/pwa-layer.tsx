import { lazy, Suspense, useSyncExternalStore } from 'react'
import { currentInstallOffer, onInstallOffer } from './install-offer.ts'
import { needsShareMenu } from './installation.ts'
import { OfflineBanner } from './offline-banner.tsx'
import { UpdateBanner } from './update-banner.tsx'
import type { Updates } from './worker-updates.ts'

/** Most visits are offered nothing and carry no card. One that cannot be loaded is not missed. */
const InstallCard = lazy(() =>
  import('./install-card.tsx').then(
    ({ InstallCard: card }) => ({ default: card }),
    () => ({ default: () => null }),
  ),
)

/** What the installable app says above every screen, and its card below. The banners keep clear of a notch, which the screen does too. */
export function PwaLayer({ updates }: { updates: Updates | undefined }) {
  const isOffered = useSyncExternalStore(onInstallOffer, currentInstallOffer) !== undefined || needsShareMenu()
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
