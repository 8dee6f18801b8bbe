import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { BrowserWallet } from './browser-wallets.ts'
import type { Question } from './provider.ts'
import { connectAccount, shortAddress, signMessage, watchAccount } from './wallet-account.ts'

const ADDRESS = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const OTHER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const account = { address: ADDRESS, chainId: 137 }
const signal = new AbortController().signal

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

type Answers = Record<string, unknown>

/** A wallet that answers each method as told; an Error is thrown, a promise awaited. */
function walletWith(answers: Answers): BrowserWallet & { asked: Question[]; tell: (event: string, news: unknown) => void; heard: () => number } {
  const asked: Question[] = []
  const listeners = new Map<string, Set<(news: unknown) => void>>()
  const usual: Answers = { eth_requestAccounts: [ADDRESS], eth_accounts: [ADDRESS], eth_chainId: '0x89', personal_sign: '0xabcd' }
  const provider = {
    request: async (question: Question) => {
      asked.push(question)
      const answer = await { ...usual, ...answers }[question.method]
      if (answer instanceof Error) throw answer
      return answer
    },
    on: (event: string, listener: (news: unknown) => void) => void listeners.set(event, (listeners.get(event) ?? new Set()).add(listener)),
    removeListener: (event: string, listener: (news: unknown) => void) => void listeners.get(event)?.delete(listener),
  }
  return {
    id: '1',
    name: 'Wallet',
    maker: 'a.b',
    icon: undefined,
    walletType: 'Wallet',
    provider,
    asked,
    tell: (event, news) => listeners.get(event)?.forEach((listener) => listener(news)),
    heard: () => [...listeners.values()].reduce((sum, { size }) => sum + size, 0),
  }
}

const refusal = (code: number) => Object.assign(new Error('in the words of the wallet'), { code })
const never = new Promise(() => undefined)
const sign = (wallet: BrowserWallet) => signMessage({ wallet, account, message: 'Grüße', signal })

test('connecting asks for accounts and chain', async () => {
  expect(await connectAccount(walletWith({}), signal)).toEqual(account)
})

test.each([
  ['no account', { eth_requestAccounts: [] }, 'no-accounts', 'No accounts found'],
  ['nonsense for accounts', { eth_requestAccounts: 'yes' }, 'no-accounts', 'No accounts found'],
  ['an address that is none', { eth_requestAccounts: ['<b>0x</b>'] }, 'no-accounts', 'No accounts found'],
  ['nonsense for a chain', { eth_chainId: 137 }, 'failed', ''],
  ['a refusal', { eth_requestAccounts: refusal(4001) }, 'declined', 'You declined the request in your wallet.'],
  ['a request that waits already', { eth_requestAccounts: refusal(-32_002) }, 'pending', 'Open your wallet, a request is waiting.'],
  ['another error', { eth_requestAccounts: refusal(-32_603) }, 'failed', ''],
])('a wallet that answers with %s', async (_what, answers, kind, message) => {
  await expect(connectAccount(walletWith(answers), signal)).rejects.toMatchObject({ kind, message })
})

test('a wallet that never answers is given up after two minutes', async () => {
  const outcome = connectAccount(walletWith({ eth_requestAccounts: never }), signal).catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(120_000)
  expect(await outcome).toMatchObject({ kind: 'silent' })
  expect(vi.getTimerCount()).toBe(0)
})

test('who cancels need not wait', async () => {
  const abort = new AbortController()
  const outcome = connectAccount(walletWith({ eth_requestAccounts: never }), abort.signal).catch((error: unknown) => error)
  abort.abort()
  expect(await outcome).toMatchObject({ kind: 'canceled' })
  expect(vi.getTimerCount()).toBe(0)
})

test('personal_sign gets the bytes of the message and the account', async () => {
  const wallet = walletWith({})
  expect(await sign(wallet)).toBe('0xabcd')
  expect(wallet.asked[0]).toEqual({ method: 'personal_sign', params: ['0x4772c3bcc39f65', ADDRESS] })
})

test.each([
  ['the account changed without a word', { eth_accounts: [OTHER] }, 'account-changed'],
  ['the wallet was locked', { eth_accounts: [] }, 'account-changed'],
  ['the chain changed without a word', { eth_chainId: '0x1' }, 'chain-changed'],
  ['the user declined', { personal_sign: refusal(4001) }, 'declined'],
  ['a request waits already', { personal_sign: refusal(-32_002) }, 'pending'],
  ['the signature is none', { personal_sign: { signature: '0x' } }, 'failed'],
])('no signature where %s', async (_what, answers, kind) => {
  await expect(sign(walletWith(answers))).rejects.toMatchObject({ kind })
})

test('a wallet may spell the same account in another case', async () => {
  expect(await sign(walletWith({ eth_accounts: [ADDRESS.toLowerCase()] }))).toBe('0xabcd')
})

test('changes in the wallet are told until nobody listens', () => {
  const wallet = walletWith({})
  const changes: unknown[] = []
  const stop = watchAccount(wallet, account, ({ problem, account: next }) => changes.push([problem.kind, next]))
  wallet.tell('accountsChanged', [ADDRESS.toLowerCase()])
  wallet.tell('chainChanged', '0x89')
  wallet.tell('accountsChanged', [OTHER])
  wallet.tell('accountsChanged', [])
  wallet.tell('chainChanged', '0x1')
  expect(changes).toEqual([
    ['account-changed', { address: OTHER, chainId: 137 }],
    ['account-changed', undefined],
    ['chain-changed', { address: ADDRESS, chainId: 1 }],
  ])
  stop()
  expect(wallet.heard()).toBe(0)
})

test('an address is shown by its first six and last four characters', () => {
  expect(shortAddress(ADDRESS)).toBe('0xf39F...2266')
})
