import { attempt } from '#app/ui/device/attempt.ts'

const CHANNEL = 'signed-in-user'

type SignedIn = { userId: string | null }

let channel: BroadcastChannel | undefined

/**
 * Undefined if the browser denies channels, as it may with storage; then each tab learns of a
 * change from the server.
 */
function open(): BroadcastChannel | undefined {
  return (channel ??= attempt(() => new BroadcastChannel(CHANNEL)))
}

export function notifyOtherTabs(userId: string | null): void {
  open()?.postMessage({ userId } satisfies SignedIn)
}

/**
 * Reloads this tab as soon as another tab reports a different user, or none. Threat: somebody signs
 * out in one tab, another user signs in, and a second tab still shows, or acts with, the first
 * user's money.
 */
export function listenToOtherTabs(currentUser: () => string | null): void {
  open()?.addEventListener('message', ({ data }: MessageEvent<SignedIn>) => {
    const mine = currentUser()
    if (mine !== null && data.userId !== mine) location.replace('/')
  })
}
