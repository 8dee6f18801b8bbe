import type { BrowserWallet } from './browser-wallets.ts'
import { ask, WalletProblem } from './provider.ts'

export type Account = { address: string; chainId: number }

/** People unlock, read and decide; a wallet alone answers at once. */
const PERSON_TIMEOUT_MS = 120_000
const WALLET_TIMEOUT_MS = 10_000

/** Asks the user, in the wallet, to show this site an account. */
export async function connectAccount({ provider }: BrowserWallet, signal: AbortSignal): Promise<Account> {
  const address = readAccount(await ask(provider, { method: 'eth_requestAccounts' }, { timeoutMs: PERSON_TIMEOUT_MS, signal }))
  if (address === undefined) throw new WalletProblem('no-accounts')
  const chainId = readChain(await ask(provider, { method: 'eth_chainId' }, { timeoutMs: WALLET_TIMEOUT_MS, signal }))
  if (chainId === undefined) throw new WalletProblem('failed')
  return { address, chainId }
}

type ToSign = { wallet: BrowserWallet; account: Account; message: string; signal: AbortSignal }

/** The user's signature of `message`, given by the account and on the chain that the message names. */
export async function signMessage({ wallet: { provider }, account, message, signal }: ToSign): Promise<string> {
  const question = { method: 'personal_sign', params: [hexOf(message), account.address] }
  const signature = await ask(provider, question, { timeoutMs: PERSON_TIMEOUT_MS, signal })
  const soon = { timeoutMs: WALLET_TIMEOUT_MS, signal }
  const address = readAccount(await ask(provider, { method: 'eth_accounts' }, soon))
  if (address?.toLowerCase() !== account.address.toLowerCase()) throw new WalletProblem('account-changed')
  if (readChain(await ask(provider, { method: 'eth_chainId' }, soon)) !== account.chainId) throw new WalletProblem('chain-changed')
  if (typeof signature !== 'string') throw new WalletProblem('failed')
  return signature
}

export type Change = { problem: WalletProblem; account: Account | undefined }

/** Tells when the user turns to another account or chain in the wallet, and what is there then. Returns the way to stop. */
export function watchAccount({ provider }: BrowserWallet, account: Account, onChange: (change: Change) => void): () => void {
  const onAccounts = (news: unknown) => {
    const address = readAccount(news)
    if (address?.toLowerCase() === account.address.toLowerCase()) return
    onChange({ problem: new WalletProblem('account-changed'), account: address === undefined ? undefined : { ...account, address } })
  }
  const onChain = (news: unknown) => {
    const chainId = readChain(news)
    if (chainId === account.chainId) return
    onChange({ problem: new WalletProblem('chain-changed'), account: chainId === undefined ? undefined : { ...account, chainId } })
  }
  provider.on?.('accountsChanged', onAccounts)
  provider.on?.('chainChanged', onChain)
  return () => {
    provider.removeListener?.('accountsChanged', onAccounts)
    provider.removeListener?.('chainChanged', onChain)
  }
}

/** '0xf39F...2266': the first 6 and the last 4 characters, which is what people compare. */
export function shortAddress(address: string): string {
  return `${address.slice(0, 6)}...${address.slice(-4)}`
}

/** The first of a list of addresses. */
function readAccount(answer: unknown): string | undefined {
  const first: unknown = Array.isArray(answer) ? answer[0] : undefined
  return typeof first === 'string' && /^0x[0-9a-fA-F]{40}$/.test(first) ? first : undefined
}

function readChain(answer: unknown): number | undefined {
  const isNumber = typeof answer === 'string' && /^0x[0-9a-fA-F]{1,13}$/.test(answer)
  return isNumber ? Number.parseInt(answer, 16) : undefined
}

/** personal_sign takes bytes: a text could be mistaken for hexadecimal. */
function hexOf(text: string): string {
  return `0x${Array.from(new TextEncoder().encode(text), (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
