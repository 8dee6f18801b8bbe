import { useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react'
import { allScreens } from '#contract/screens.ts'
import { t } from '#words/words.ts'
import { buttonStyle, IconButton } from '#app/ui/buttons/button.tsx'
import { useLocation } from '#app/ui/frame/address.ts'
import { X } from '#app/ui/frame/later-icons.ts'
import { showToast } from '#app/ui/overlays/toast.ts'
import { dismissNow, isHiddenNow } from './install-dismissal.ts'
import {
  currentInstallOffer,
  onInstallOffer,
  spendInstallOffer,
  type InstallOffer,
} from './install-offer.ts'

const QUIET_PATHS = allScreens.filter(({ quiet }) => quiet).map(({ path }): string => path)

export function InstallCard() {
  const [location] = useLocation()
  const offer = useSyncExternalStore(onInstallOffer, currentInstallOffer)
  const [dismissed, setDismissed] = useState(false)
  if (dismissed || isHiddenNow() || installedAlready() || !QUIET_PATHS.includes(location))
    return null
  const dismiss = () => {
    dismissNow()
    setDismissed(true)
  }
  return <Card offer={offer} onDismiss={dismiss} keepsOffShortHome={location === '/'} />
}

/**
 * On a short display the card would cover the buttons of the home screen, so only other screens
 * show it there.
 */
function Card({
  offer,
  onDismiss,
  keepsOffShortHome,
}: {
  offer: InstallOffer | undefined
  onDismiss: () => void
  keepsOffShortHome: boolean
}) {
  const card = useRef<HTMLElement>(null)
  useLayoutEffect(() => makeRoomFor(card.current), [])
  return (
    <aside
      ref={card}
      aria-label={t('Install the app')}
      className={
        'fixed right-0 bottom-(--tabs) left-(--rail) z-20 pb-(--foot) ' +
        'in-[body:has([data-stale-line])]:mb-7.5 ' +
        (keepsOffShortHome ? '[@media(max-height:699px)]:hidden' : '')
      }
    >
      <div
        className={
          'mx-auto flex max-w-page items-center gap-3 border-t border-hairline bg-surface ' +
          'py-2 pr-2 pl-5 md:rounded-t-control md:border-x'
        }
      >
        <img src="/icon.svg" alt="" width={40} height={40} className="max-[359px]:hidden" />
        <div className="min-w-0 flex-1 py-1">
          <p className="text-16 font-semibold">{t('Install Trading Bot')}</p>
          <p className="text-14 text-ink2">
            {offer ? t('Opens from your home screen.') : t('Tap Share, then “Add to Home Screen”.')}
          </p>
        </div>
        {offer && (
          <button
            type="button"
            onClick={() => void install(offer, onDismiss)}
            className={buttonStyle('quiet')}
          >
            {t('Install')}
          </button>
        )}
        <IconButton icon={X} label={t('Not now')} onClick={onDismiss} />
      </div>
    </aside>
  )
}

/** Pads the end of the page, so that it can be scrolled above the card. */
function makeRoomFor(card: HTMLElement | null): () => void {
  document.body.style.paddingBottom = `${card?.offsetHeight ?? 0}px`
  return () => {
    document.body.style.paddingBottom = ''
  }
}

async function install(offer: InstallOffer, onDismiss: () => void): Promise<void> {
  try {
    const { outcome } = await offer.prompt()
    if (outcome === 'dismissed') onDismiss()
    else
      showToast({
        title: t('Installing App...'),
        description: t('The app will be available on your device shortly.'),
      })
  } catch (error) {
    console.error('The app could not be installed.', error)
    showToast({
      title: t('Installation Failed'),
      description: t('There was an error installing the app. Please try again.'),
      tone: 'destructive',
    })
  }
  spendInstallOffer()
}

/** True if the app was opened from the home screen, in a window of its own. */
function installedAlready(): boolean {
  const isAppleApp = 'standalone' in navigator && navigator.standalone === true
  return isAppleApp || matchMedia('(display-mode: standalone)').matches
}
