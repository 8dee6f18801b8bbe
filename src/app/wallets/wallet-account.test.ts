import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { BrowserWallet } from './browser-wallets.ts'
import type { WalletRequest } from './provider.ts'
import { connectAccount, shortAddress, signMessage, watchAccount } from './wallet-account.ts'

const ADDRESS = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const OTHER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const account = { address: ADDRESS, chainId: 137 }
const signal = new AbortController().signal

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

type Results = Record<string, unknown>

type ScriptedWallet = BrowserWallet & {
  requests: WalletRequest[]
  emit: (event: string, payload: unknown) => void
  listenerCount: () => number
}

/** A wallet with a scripted result for each method: an Error is thrown, a promise awaited. */
function walletWith(results: Results): ScriptedWallet {
  const requests: WalletRequest[] = []
  const listeners = new Map<string, Set<(payload: unknown) => void>>()
  const defaults: Results = {
    eth_requestAccounts: [ADDRESS],
    eth_accounts: [ADDRESS],
    eth_chainId: '0x89',
    personal_sign: '0xabcd',
  }
  const provider = {
    request: async (request: WalletRequest) => {
      requests.push(request)
      const result = await { ...defaults, ...results }[request.method]
      if (result instanceof Error) throw result
      return result
    },
    on: (event: string, listener: (payload: unknown) => void) =>
      void listeners.set(event, (listeners.get(event) ?? new Set()).add(listener)),
    removeListener: (event: string, listener: (payload: unknown) => void) =>
      void listeners.get(event)?.delete(listener),
  }
  return {
    id: '1',
    name: 'Wallet',
    maker: 'a.b',
    icon: undefined,
    walletType: 'Wallet',
    provider,
    requests,
    emit: (event, payload) => listeners.get(event)?.forEach((listener) => listener(payload)),
    listenerCount: () => [...listeners.values()].reduce((sum, { size }) => sum + size, 0),
  }
}

const rpcError = (code: number) => Object.assign(new Error('in the words of the wallet'), { code })
const never = new Promise(() => undefined)
const sign = (wallet: BrowserWallet) => signMessage({ wallet, account, message: 'Grüße', signal })

test('connecting requests the accounts and the chain', async () => {
  expect(await connectAccount(walletWith({}), signal)).toEqual(account)
})

test.each([
  ['no account', { eth_requestAccounts: [] }, 'no-accounts', 'No accounts found'],
  ['malformed accounts', { eth_requestAccounts: 'yes' }, 'no-accounts', 'No accounts found'],
  [
    'an invalid address',
    { eth_requestAccounts: ['<b>0x</b>'] },
    'no-accounts',
    'No accounts found',
  ],
  ['a malformed chain', { eth_chainId: 137 }, 'failed', ''],
  [
    'a rejection',
    { eth_requestAccounts: rpcError(4001) },
    'declined',
    'You declined the request in your wallet.',
  ],
  [
    'a request that is still pending',
    { eth_requestAccounts: rpcError(-32_002) },
    'pending',
    'Open your wallet, a request is waiting.',
  ],
  ['another error', { eth_requestAccounts: rpcError(-32_603) }, 'failed', ''],
])('connecting fails if the wallet returns %s', async (_what, results, kind, message) => {
  await expect(connectAccount(walletWith(results), signal)).rejects.toMatchObject({ kind, message })
})

test('a wallet that never answers times out after two minutes', async () => {
  const outcome = connectAccount(walletWith({ eth_requestAccounts: never }), signal).catch(
    (error: unknown) => error,
  )
  await vi.advanceTimersByTimeAsync(120_000)
  expect(await outcome).toMatchObject({ kind: 'silent' })
  expect(vi.getTimerCount()).toBe(0)
})

test('canceling ends the wait at once', async () => {
  const abort = new AbortController()
  const outcome = connectAccount(walletWith({ eth_requestAccounts: never }), abort.signal).catch(
    (error: unknown) => error,
  )
  abort.abort()
  expect(await outcome).toMatchObject({ kind: 'canceled' })
  expect(vi.getTimerCount()).toBe(0)
})

test('personal_sign gets the bytes of the message and the account', async () => {
  const wallet = walletWith({})
  expect(await sign(wallet)).toBe('0xabcd')
  expect(wallet.requests[0]).toEqual({
    method: 'personal_sign',
    params: ['0x4772c3bcc39f65', ADDRESS],
  })
})

test.each([
  ['the account changed silently', { eth_accounts: [OTHER] }, 'account-changed'],
  ['the wallet was locked', { eth_accounts: [] }, 'account-changed'],
  ['the chain changed silently', { eth_chainId: '0x1' }, 'chain-changed'],
  ['the user declined', { personal_sign: rpcError(4001) }, 'declined'],
  ['a request is still pending', { personal_sign: rpcError(-32_002) }, 'pending'],
  ['the signature is not a string', { personal_sign: { signature: '0x' } }, 'failed'],
])('signing fails if %s', async (_what, results, kind) => {
  await expect(sign(walletWith(results))).rejects.toMatchObject({ kind })
})

test('a wallet may write the same account in different letter case', async () => {
  expect(await sign(walletWith({ eth_accounts: [ADDRESS.toLowerCase()] }))).toBe('0xabcd')
})

test('changes of account and chain are reported until the watch stops', () => {
  const wallet = walletWith({})
  const changes: unknown[] = []
  const stop = watchAccount(wallet, account, ({ problem, account: next }) =>
    changes.push([problem.kind, next]),
  )
  wallet.emit('accountsChanged', [ADDRESS.toLowerCase()])
  wallet.emit('chainChanged', '0x89')
  wallet.emit('accountsChanged', [OTHER])
  wallet.emit('accountsChanged', [])
  wallet.emit('chainChanged', '0x1')
  expect(changes).toEqual([
    ['account-changed', { address: OTHER, chainId: 137 }],
    ['account-changed', undefined],
    ['chain-changed', { address: ADDRESS, chainId: 1 }],
  ])
  stop()
  expect(wallet.listenerCount()).toBe(0)
})

test('an address is shown by its first six and last four characters', () => {
  expect(shortAddress(ADDRESS)).toBe('0xf39F...2266')
})
