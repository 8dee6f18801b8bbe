import { InstallCard } from './install-card.tsx'
import { OfflineBanner } from './offline-banner.tsx'
import { UpdateBanner } from './update-banner.tsx'
import type { Updates } from './worker-updates.ts'

/** What the installable app says above every screen, and its card below. The banners keep clear of a notch, which the screen does too. */
export function PwaLayer({ updates }: { updates: Updates | undefined }) {
  return (
    <>
      <div
        className="sticky top-0 z-30 not-empty:mb-[calc(-1*env(safe-area-inset-top))] not-empty:bg-paper
          not-empty:pt-[env(safe-area-inset-top)]"
      >
        <OfflineBanner />
        {updates && <UpdateBanner updates={updates} />}
      </div>
      <InstallCard />
    </>
  )
}
