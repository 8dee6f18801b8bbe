import * as viem from 'viem'
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
  ['a malformed chain', { eth_chainId: 'Polygon' }, 'failed', ''],
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
  ['an unknown error', { eth_requestAccounts: rpcError(-32_099) }, 'failed', ''],
])('connecting fails if the wallet returns %s', async (_what, results, kind, message) => {
  await expect(connectAccount(walletWith(results), signal)).rejects.toMatchObject({ kind, message })
})

/** The codes of EIP-1193, EIP-1474 and WalletConnect's sign API. */
const SENTENCES: readonly [codes: readonly number[], sentence: string][] = [
  [[4001, 5000, 5001, 5002], 'You declined the request in your wallet.'],
  [[-32_002], 'Open your wallet, a request is waiting.'],
  [
    [4100, 3001, 3005],
    'Your wallet is locked or does not allow this site. Unlock it or allow the site first.',
  ],
  [
    [4200, -32_700, -32_600, -32_601, -32_602, -32_000, -32_004, -32_006, 5101, 5103, 5104],
    'Your wallet does not support this request. Update it or use another wallet.',
  ],
  [[4900, 6000, 7000, 7001], 'Your wallet is disconnected. Check its connection, then try again.'],
  [
    [4901, 4902, 5100],
    'Your wallet cannot use this network. Choose another one in it, then try again.',
  ],
  [[-32_005], 'Your wallet has too many requests. Wait a minute, then try again.'],
  [
    [-32_603, -32_001, -32_003],
    'Your wallet reported an error of its own. Restart it, then try again.',
  ],
  [[8000], 'The request expired in your wallet. Please try again.'],
]
const CASES = SENTENCES.flatMap(([codes, sentence]) =>
  codes.map((code): [number, string] => [code, sentence]),
)

test.each(CASES)('the code %d has a message', async (code, message) => {
  const error = rpcError(code)
  const failing = { eth_requestAccounts: error, personal_sign: error }
  await expect(connectAccount(walletWith(failing), signal)).rejects.toMatchObject({ message })
  await expect(sign(walletWith(failing))).rejects.toMatchObject({ message })
})

test('every general error code of viem has a row above', () => {
  const known = Object.values(viem).flatMap((value: unknown) =>
    typeof value === 'function' && 'code' in value && typeof value.code === 'number'
      ? [value.code]
      : [],
  )
  const isOfCalls = (code: number) => code === 3 || (code >= 5700 && code < 5800)
  const codes = CASES.map(([code]) => code)
  expect(codes).toEqual(expect.arrayContaining(known.filter((code) => !isOfCalls(code))))
  expect(known.length).toBeGreaterThan(20)
})

test("the wallet's own error is found inside a wrapper, and its code may be text", async () => {
  const inner = { data: { originalError: { code: 4001 } } }
  const wrapped = Object.assign(rpcError(-32_603), inner)
  await expect(sign(walletWith({ personal_sign: wrapped }))).rejects.toMatchObject({
    kind: 'declined',
  })
  const text = Object.assign(new Error('no'), { code: '4001' })
  await expect(sign(walletWith({ personal_sign: text }))).rejects.toMatchObject({
    kind: 'declined',
  })
})

test.each(['0x89', '0x089', '0X89', '0x0000089', 137, '137'])(
  'the chain %o is read as 137',
  async (eth_chainId) => {
    expect(await connectAccount(walletWith({ eth_chainId }), signal)).toEqual(account)
    expect(await sign(walletWith({ eth_chainId }))).toBe('0xabcd')
  },
)

test.each(['', '0x', '0', 0, -1, 1.5, Number.NaN, null, '0x20000000000000', '1e3', ['0x1'], {}])(
  '%o is not a chain id',
  async (eth_chainId) => {
    await expect(connectAccount(walletWith({ eth_chainId }), signal)).rejects.toMatchObject({
      kind: 'failed',
    })
  },
)

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
  ['the wallet was locked', { eth_accounts: [] }, 'locked'],
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
    ['locked', undefined],
    ['chain-changed', { address: ADDRESS, chainId: 1 }],
  ])
  stop()
  expect(wallet.listenerCount()).toBe(0)
})

test('an address is shown by its first six and last four characters', () => {
  expect(shortAddress(ADDRESS)).toBe('0xf39F...2266')
})
