import type { Page } from 'playwright-core'

/**
 * How an injected wallet behaves. Without `rdns` it does not announce itself and is only in
 * `window.ethereum`.
 */
export type InjectedWallet = {
  name: string
  rdns?: string
  address: string
  chainId?: string
  isMetaMask?: boolean
  /**
   * Outcome of `eth_requestAccounts`, and below of `personal_sign`: an error code, no answer, or no
   * accounts.
   */
  connect?: number | 'silence' | 'nobody'
  sign?: number | 'silence'
}

/**
 * Injects wallets into every page that `page` loads from now on, as extensions do; they sign
 * through `window.signWith`.
 */
export async function injectWallets(page: Page, wallets: readonly InjectedWallet[]): Promise<void> {
  await page.addInitScript((given: readonly InjectedWallet[]) => {
    const calls: string[] = []
    const tellers: Record<string, (event: string, news: unknown) => void> = {}
    const meet = (
      outcome: number | 'silence' | 'nobody' | undefined,
      answer: () => unknown,
    ): unknown => {
      if (outcome === 'silence') return new Promise(() => undefined)
      if (outcome === 'nobody') return []
      if (outcome !== undefined)
        return Promise.reject(Object.assign(new Error('the wallet says no'), { code: outcome }))
      return answer()
    }
    const signWith = (address: string, message: unknown) =>
      (window as unknown as { signWith: (...args: unknown[]) => unknown }).signWith(
        address,
        message,
      )
    const providerOf = ({
      name,
      address,
      chainId = '0x1',
      isMetaMask,
      connect,
      sign,
    }: InjectedWallet) => {
      const listeners: [string, (news: unknown) => void][] = []
      tellers[name] = (event, news) =>
        listeners.filter(([of]) => of === event).forEach(([, listener]) => listener(news))
      const answers: Record<string, (params: unknown[]) => unknown> = {
        eth_requestAccounts: () => meet(connect, () => [address]),
        eth_accounts: () => [address],
        eth_chainId: () => chainId,
        personal_sign: ([message]) => meet(sign, () => signWith(address, message)),
      }
      return {
        ...(isMetaMask === undefined ? {} : { isMetaMask }),
        request: async ({ method, params = [] }: { method: string; params?: unknown[] }) => {
          calls.push(`${name} ${method}`)
          return answers[method]?.(params)
        },
        on: (event: string, listener: (news: unknown) => void) =>
          void listeners.push([event, listener]),
        removeListener: (event: string, listener: (news: unknown) => void) => {
          const index = listeners.findIndex(([of, one]) => of === event && one === listener)
          if (index >= 0) listeners.splice(index, 1)
        },
      }
    }
    for (const wallet of given) {
      const provider = providerOf(wallet)
      const { name, rdns } = wallet
      const detail = Object.freeze({
        info: Object.freeze({
          uuid: `uuid-${name}-${rdns}`,
          name,
          rdns,
          icon: 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"/>',
        }),
        provider,
      })
      const announce = () =>
        window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
      if (rdns === undefined) Object.assign(window, { ethereum: provider })
      else window.addEventListener('eip6963:requestProvider', announce)
    }
    Object.assign(window, {
      walletCalls: calls,
      tellWallet: (name: string, event: string, news: unknown) => tellers[name]?.(event, news),
    })
  }, wallets)
}

/** All requests to the wallets, as 'name method'. */
export async function walletCalls(page: Page): Promise<string[]> {
  return page.evaluate(() => (window as unknown as { walletCalls: string[] }).walletCalls)
}

/** Emits an event of a wallet, such as when the user switches the account in it. */
export async function tellWallet(
  page: Page,
  { name, event, news }: { name: string; event: string; news: unknown },
): Promise<void> {
  await page.evaluate(
    (told) =>
      (window as unknown as { tellWallet: (...args: unknown[]) => void }).tellWallet(
        told.name,
        told.event,
        told.news,
      ),
    { name, event, news },
  )
}
