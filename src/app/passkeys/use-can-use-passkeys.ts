import { useSyncExternalStore } from 'react'

/**
 * Whether passkeys work here: in this browser, over TLS, and at an address with a name, as WebAuthn
 * demands. Undefined while the server's markup is shown, because the server does not know the
 * browser.
 */
export function useCanUsePasskeys(): boolean | undefined {
  return useSyncExternalStore<boolean | undefined>(never, canUsePasskeys, () => undefined)
}

const never = () => () => undefined

function canUsePasskeys(): boolean {
  const isNumber = /^[\d.]+$|:/.test(location.hostname)
  return window.isSecureContext && 'PublicKeyCredential' in window && !isNumber
}
