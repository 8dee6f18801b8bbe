/** Whether this browser can show push messages. On an iPhone only the installed app can. */
export function canPush(): boolean {
  return (
    'serviceWorker' in navigator &&
    typeof PushManager === 'function' &&
    typeof Notification === 'function'
  )
}

export type BrowserSubscription = { endpoint: string; p256dh: string; auth: string }

/**
 * Asks the user and subscribes. Undefined if the user says no; throws if the browser cannot reach
 * its push service.
 */
export async function subscribe(publicKey: string): Promise<BrowserSubscription | undefined> {
  if ((await Notification.requestPermission()) !== 'granted') return undefined
  const registration = await navigator.serviceWorker.ready
  const earlier = await registration.pushManager.getSubscription()
  // With another key the browser refuses to subscribe again.
  if (earlier && !isOf(earlier, publicKey)) await earlier.unsubscribe()
  const made = await registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: publicKey,
  })
  return { endpoint: made.endpoint, p256dh: keyOf(made, 'p256dh'), auth: keyOf(made, 'auth') }
}

function isOf({ options }: PushSubscription, publicKey: string): boolean {
  return (
    options.applicationServerKey !== null && base64Url(options.applicationServerKey) === publicKey
  )
}

function keyOf(subscription: PushSubscription, name: PushEncryptionKeyName): string {
  const key = subscription.getKey(name)
  return key === null ? '' : base64Url(key)
}

function base64Url(bytes: ArrayBuffer): string {
  return btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}
