import { msg, say } from '#words/words.ts'
import { isProvider, type Provider } from './provider.ts'

export type BrowserWallet = {
  id: string
  name: string
  /** The maker's id, such as io.metamask: distinguishes wallets of the same name. */
  maker: string
  icon: string | undefined
  walletType: string
  provider: Provider
}

type Page = EventTarget & { ethereum?: unknown }

type WatchedWallets = {
  list: () => readonly BrowserWallet[]
  subscribe: (listener: () => void) => () => void
  /**
   * Requests announcements again, because a wallet may have been enabled since the page was loaded.
   */
  look: () => void
}

/**
 * All wallets that announce themselves to the page. `window.ethereum` is used only if none does,
 * because every extension overwrites it. Source: EIP-6963.
 */
export function watchWallets(page: Page): WatchedWallets {
  let announced: readonly BrowserWallet[] = []
  let legacy: readonly BrowserWallet[] = legacyWallets(page)
  const listeners = new Set<() => void>()
  const notify = () => {
    for (const listener of listeners) listener()
  }
  page.addEventListener('eip6963:announceProvider', (event) => {
    const wallet = 'detail' in event ? announcedWallet(event.detail) : undefined
    if (!wallet || announced.some(({ id }) => id === wallet.id)) return
    announced = [...announced, wallet]
    notify()
  })
  const readLegacy = () => {
    legacy = legacyWallets(page)
    notify()
  }
  page.addEventListener('ethereum#initialized', readLegacy)
  const ask = () => page.dispatchEvent(new Event('eip6963:requestProvider'))
  ask()
  return {
    look: () => {
      ask()
      readLegacy()
    },
    list: () => (announced.length > 0 ? announced : legacy),
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

const LONGEST_NAME = 50

const UNNAMED = msg('Browser wallet')

export function typeText(walletType: string): string {
  if (walletType === UNNAMED) return say(UNNAMED)
  return walletType === 'metamask' ? 'MetaMask' : walletType
}

function announcedWallet(detail: unknown): BrowserWallet | undefined {
  if (
    typeof detail !== 'object' ||
    detail === null ||
    !('info' in detail) ||
    !('provider' in detail)
  )
    return undefined
  const { info, provider } = detail
  if (typeof info !== 'object' || info === null || !isProvider(provider)) return undefined
  const { uuid, name, rdns, icon } = info as Record<string, unknown>
  if (
    typeof uuid !== 'string' ||
    typeof name !== 'string' ||
    typeof rdns !== 'string' ||
    name.trim() === ''
  )
    return undefined
  const shownName = name.trim().slice(0, LONGEST_NAME)
  const maker = rdns.slice(0, LONGEST_NAME)
  const isPicture = typeof icon === 'string' && icon.startsWith('data:image/')
  return {
    id: uuid,
    name: shownName,
    maker,
    icon: isPicture ? icon : undefined,
    walletType: typeOf({ name: shownName, maker }),
    provider,
  }
}

/**
 * Id of MetaMask's browser extension. Its app and other editions have longer ids, such as
 * io.metamask.mobile.
 */
const METAMASK = 'io.metamask'

/**
 * Threat: any wallet can use the name MetaMask. Only a wallet with MetaMask's id is treated as
 * MetaMask. Others of that name get their id as type.
 */
function typeOf({ name, maker }: { name: string; maker: string }): string {
  if (maker === METAMASK) return 'metamask'
  const isPosing = /meta\s*mask/i.test(name) && !maker.startsWith(`${METAMASK}.`)
  return isPosing ? maker || 'unknown' : name
}

function legacyWallets({ ethereum }: Page): readonly BrowserWallet[] {
  if (!isProvider(ethereum)) return []
  const claimsMetaMask = 'isMetaMask' in ethereum && ethereum.isMetaMask === true
  const walletType = claimsMetaMask ? 'metamask' : UNNAMED
  const legacy = {
    id: 'window.ethereum',
    // Translated when read, because the wallet is found before the language is known.
    get name() {
      return typeText(walletType)
    },
    maker: '',
    icon: undefined,
    walletType,
    provider: ethereum,
  }
  return [legacy]
}
