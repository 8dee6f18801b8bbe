import { storedText, storeText } from '#app/ui/device/storage.ts'

const KEY = 'protect-offer'

/**
 * Whether this device no longer offers a second factor. The page of sign-in and security always
 * does.
 */
export function isOfferDismissed(): boolean {
  return storedText('localStorage', KEY) === 'dismissed'
}

/** Where the browser stores nothing, the offer comes again. */
export function dismissOffer(): void {
  storeText('localStorage', KEY, 'dismissed')
}
