const CHANNEL = 'signed-in-user'

type Known = { userId: string | null }

let channel: BroadcastChannel | undefined

/** Tells the other tabs of this browser who is signed in now. */
export function tellOtherTabs(userId: string | null): void {
  channel ??= new BroadcastChannel(CHANNEL)
  channel.postMessage({ userId } satisfies Known)
}

/**
 * Threat: somebody signs out in one tab, another user signs in, and a second tab still shows, or acts with, the first one's money.
 * A tab with a user in it begins anew as soon as another tab says that this user is gone.
 */
export function listenToOtherTabs(currentUser: () => string | null): void {
  channel ??= new BroadcastChannel(CHANNEL)
  channel.addEventListener('message', ({ data }: MessageEvent<Known>) => {
    const mine = currentUser()
    if (mine !== null && data.userId !== mine) location.replace('/')
  })
}
