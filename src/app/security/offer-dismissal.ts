const KEY = 'protect-offer'

/** Whether this device no longer offers a second factor. The page of sign-in and security always does. */
export function isOfferDismissed(): boolean {
  try {
    return localStorage.getItem(KEY) === 'dismissed'
  } catch (error) {
    return unlessDenied(error)
  }
}

export function dismissOffer(): void {
  try {
    localStorage.setItem(KEY, 'dismissed')
  } catch (error) {
    unlessDenied(error)
  }
}

/** Browsers may deny storage: then the offer comes again. */
function unlessDenied(error: unknown): false {
  if (error instanceof DOMException) return false
  throw error
}
