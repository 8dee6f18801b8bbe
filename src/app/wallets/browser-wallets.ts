import { isProvider, type Provider } from './provider.ts'

/** A wallet that lives in this browser. */
export type BrowserWallet = {
  id: string
  name: string
  /** What it calls its maker, such as io.metamask: tells apart two that bear one name. */
  maker: string
  icon: string | undefined
  /** What the server keeps as the wallet's type. */
  walletType: string
  provider: Provider
}

type Page = EventTarget & { ethereum?: unknown }

/**
 * Every wallet that announces itself to the page, and while none does, the one that stands in `window.ethereum`: there the last
 * extension to load takes the place of all others. Source: EIP-6963.
 */
export function watchWallets(page: Page): { list: () => readonly BrowserWallet[]; subscribe: (listener: () => void) => () => void } {
  let announced: readonly BrowserWallet[] = []
  let legacy: readonly BrowserWallet[] = legacyWallets(page)
  const listeners = new Set<() => void>()
  const tell = () => {
    for (const listener of listeners) listener()
  }
  page.addEventListener('eip6963:announceProvider', (event) => {
    const wallet = 'detail' in event ? announcedWallet(event.detail) : undefined
    if (!wallet || announced.some(({ id }) => id === wallet.id)) return
    announced = [...announced, wallet]
    tell()
  })
  page.addEventListener('ethereum#initialized', () => {
    legacy = legacyWallets(page)
    tell()
  })
  page.dispatchEvent(new Event('eip6963:requestProvider'))
  return {
    list: () => (announced.length > 0 ? announced : legacy),
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

const LONGEST_NAME = 50

function announcedWallet(detail: unknown): BrowserWallet | undefined {
  if (typeof detail !== 'object' || detail === null || !('info' in detail) || !('provider' in detail)) return undefined
  const { info, provider } = detail
  if (typeof info !== 'object' || info === null || !isProvider(provider)) return undefined
  const { uuid, name, rdns, icon } = info as Record<string, unknown>
  if (typeof uuid !== 'string' || typeof name !== 'string' || typeof rdns !== 'string' || name.trim() === '') return undefined
  const shownName = name.trim().slice(0, LONGEST_NAME)
  const maker = rdns.slice(0, LONGEST_NAME)
  const isPicture = typeof icon === 'string' && icon.startsWith('data:image/')
  return { id: uuid, name: shownName, maker, icon: isPicture ? icon : undefined, walletType: typeOf({ name: shownName, maker }), provider }
}

/** A name is anybody's to take: only MetaMask's own maker counts as MetaMask, and who else bears the name goes by its maker. */
function typeOf({ name, maker }: { name: string; maker: string }): string {
  if (maker === 'io.metamask') return 'metamask'
  return /meta\s*mask/i.test(name) ? maker || 'unknown' : name
}

function legacyWallets({ ethereum }: Page): readonly BrowserWallet[] {
  if (!isProvider(ethereum)) return []
  const claimsMetaMask = 'isMetaMask' in ethereum && ethereum.isMetaMask === true
  const name = claimsMetaMask ? 'MetaMask' : 'Browser wallet'
  return [{ id: 'window.ethereum', name, maker: '', icon: undefined, walletType: claimsMetaMask ? 'metamask' : name, provider: ethereum }]
}
