import type { BrowserWallet } from './browser-wallets.ts'
import { sendRequest, WalletProblem } from './provider.ts'

export type WalletAccount = { address: string; chainId: number }

/**
 * Time limits: one for requests in which the user unlocks the wallet, reads and decides, one for
 * others.
 */
const USER_TIMEOUT_MS = 120_000
const WALLET_TIMEOUT_MS = 10_000

export async function connectAccount(
  { provider }: BrowserWallet,
  signal: AbortSignal,
): Promise<WalletAccount> {
  const address = readAccount(
    await sendRequest(
      provider,
      { method: 'eth_requestAccounts' },
      { timeoutMs: USER_TIMEOUT_MS, signal },
    ),
  )
  if (address === undefined) throw new WalletProblem('no-accounts')
  const chainId = readChain(
    await sendRequest(
      provider,
      { method: 'eth_chainId' },
      { timeoutMs: WALLET_TIMEOUT_MS, signal },
    ),
  )
  if (chainId === undefined) throw new WalletProblem('failed')
  return { address, chainId }
}

type ToSign = {
  wallet: BrowserWallet
  account: WalletAccount
  message: string
  signal: AbortSignal
}

/**
 * The user's signature of `message`. Rejects if account or chain are no longer those in the
 * message.
 */
export async function signMessage({
  wallet: { provider },
  account,
  message,
  signal,
}: ToSign): Promise<string> {
  const request = { method: 'personal_sign', params: [hexOf(message), account.address] }
  const signature = await sendRequest(provider, request, { timeoutMs: USER_TIMEOUT_MS, signal })
  const limits = { timeoutMs: WALLET_TIMEOUT_MS, signal }
  const address = readAccount(await sendRequest(provider, { method: 'eth_accounts' }, limits))
  if (address?.toLowerCase() !== account.address.toLowerCase())
    throw new WalletProblem(address === undefined ? 'locked' : 'account-changed')
  if (readChain(await sendRequest(provider, { method: 'eth_chainId' }, limits)) !== account.chainId)
    throw new WalletProblem('chain-changed')
  if (typeof signature !== 'string') throw new WalletProblem('failed')
  return signature
}

export type Change = { problem: WalletProblem; account: WalletAccount | undefined }

export function watchAccount(
  { provider }: BrowserWallet,
  account: WalletAccount,
  onChange: (change: Change) => void,
): () => void {
  const onAccounts = (payload: unknown) => {
    const address = readAccount(payload)
    if (address?.toLowerCase() === account.address.toLowerCase()) return
    onChange({
      problem: new WalletProblem(address === undefined ? 'locked' : 'account-changed'),
      account: address === undefined ? undefined : { ...account, address },
    })
  }
  const onChain = (payload: unknown) => {
    const chainId = readChain(payload)
    if (chainId === account.chainId) return
    onChange({
      problem: new WalletProblem('chain-changed'),
      account: chainId === undefined ? undefined : { ...account, chainId },
    })
  }
  provider.on?.('accountsChanged', onAccounts)
  provider.on?.('chainChanged', onChain)
  return () => {
    provider.removeListener?.('accountsChanged', onAccounts)
    provider.removeListener?.('chainChanged', onChain)
  }
}

export function shortAddress(address: string): string {
  return `${address.slice(0, 6)}...${address.slice(-4)}`
}

function readAccount(result: unknown): string | undefined {
  const first: unknown = Array.isArray(result) ? result[0] : undefined
  return typeof first === 'string' && /^0x[0-9a-fA-F]{40}$/.test(first) ? first : undefined
}

/**
 * Parses a chain id: hexadecimal according to EIP-695, but some wallets return a number or decimal
 * digits.
 */
function readChain(result: unknown): number | undefined {
  const isText = typeof result === 'string' && /^(?:0x[0-9a-f]+|\d+)$/i.test(result)
  const chainId = isText || typeof result === 'number' ? Number(result) : 0
  return Number.isSafeInteger(chainId) && chainId > 0 ? chainId : undefined
}

/** The bytes in hex, as personal_sign expects; plain text could be mistaken for hex. */
function hexOf(text: string): string {
  const bytes = Array.from(new TextEncoder().encode(text))
  return `0x${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
