import { msg, say } from '#words/words.ts'

/**
 * A wallet's interface in the page. Callers must check the shape of its results. Source: EIP-1193.
 */
export type Provider = {
  request: (request: WalletRequest) => Promise<unknown>
  on?: (event: string, listener: (payload: unknown) => void) => void
  removeListener?: (event: string, listener: (payload: unknown) => void) => void
}

export type WalletRequest = { method: string; params?: readonly unknown[] }

export function isProvider(value: unknown): value is Provider {
  return (
    typeof value === 'object' &&
    value !== null &&
    'request' in value &&
    typeof value.request === 'function'
  )
}

const SENTENCES = {
  canceled: '',
  declined: msg('You declined the request in your wallet.'),
  pending: msg('Open your wallet, a request is waiting.'),
  silent: msg('Your wallet did not answer. Open it and try again.'),
  locked: msg(
    'Your wallet is locked or does not allow this site. Unlock it or allow the site first.',
  ),
  unsupported: msg('Your wallet does not support this request. Update it or use another wallet.'),
  disconnected: msg('Your wallet is disconnected. Check its connection, then try again.'),
  'chain-disconnected': msg(
    'Your wallet cannot use this network. Choose another one in it, then try again.',
  ),
  busy: msg('Your wallet has too many requests. Wait a minute, then try again.'),
  broken: msg('Your wallet reported an error of its own. Restart it, then try again.'),
  expired: msg('The request expired in your wallet. Please try again.'),
  'account-changed': msg(
    'The account in your wallet changed. Nothing was linked; please start again.',
  ),
  'chain-changed': msg(
    'The network in your wallet changed. Nothing was linked; please start again.',
  ),
  'no-accounts': msg('No accounts found'),
  failed: '',
}

type WalletProblemKind = keyof typeof SENTENCES

/** Why a wallet request failed. `message`: shown to the user; empty if no reason is known. */
export class WalletProblem extends Error {
  override readonly name = 'WalletProblem'
  readonly kind: WalletProblemKind

  constructor(kind: WalletProblemKind) {
    super(say(SENTENCES[kind]))
    this.kind = kind
  }
}

type Limits = { timeoutMs: number; signal: AbortSignal }

/**
 * Sends a request to the wallet; gives up after `timeoutMs` or when `signal` aborts. Throws only
 * `WalletProblem`.
 */
export async function sendRequest(
  provider: Provider,
  request: WalletRequest,
  { timeoutMs, signal }: Limits,
): Promise<unknown> {
  let stopWaiting = (): void => undefined
  const interruption = new Promise<never>((_resolve, reject) => {
    const timer = setTimeout(() => reject(new WalletProblem('silent')), timeoutMs)
    const onAbort = () => reject(problemOf(signal.reason, 'canceled'))
    signal.addEventListener('abort', onAbort)
    stopWaiting = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
    }
  })
  try {
    signal.throwIfAborted()
    return await Promise.race([provider.request(request), interruption])
  } catch (error) {
    throw problemOf(error, signal.aborted ? 'canceled' : 'failed')
  } finally {
    stopWaiting()
  }
}

/**
 * Every documented code that can answer a request for accounts, chain or signature. Other codes
 * have no message. Sources: EIP-1193, EIP-1474, EIP-3326 (4902), the sign API of WalletConnect.
 */
const CODES = new Map<number, WalletProblemKind>([
  [4001, 'declined'],
  [4100, 'locked'],
  [4200, 'unsupported'],
  [4900, 'disconnected'],
  [4901, 'chain-disconnected'],
  [4902, 'chain-disconnected'],
  [-32_700, 'unsupported'],
  [-32_600, 'unsupported'],
  [-32_601, 'unsupported'],
  [-32_602, 'unsupported'],
  [-32_603, 'broken'],
  [-32_000, 'unsupported'],
  [-32_001, 'broken'],
  [-32_002, 'pending'],
  [-32_003, 'broken'],
  [-32_004, 'unsupported'],
  [-32_005, 'busy'],
  [-32_006, 'unsupported'],
  [3001, 'locked'],
  [3005, 'locked'],
  [5000, 'declined'],
  [5001, 'declined'],
  [5002, 'declined'],
  [5100, 'chain-disconnected'],
  [5101, 'unsupported'],
  [5103, 'unsupported'],
  [5104, 'unsupported'],
  [6000, 'disconnected'],
  [7000, 'disconnected'],
  [7001, 'disconnected'],
  [8000, 'expired'],
])

function problemOf(error: unknown, otherwise: WalletProblemKind): WalletProblem {
  if (error instanceof WalletProblem) return error
  // MetaMask on phones wraps the wallet's error in an internal one.
  const inner = CODES.get(codeOf(fieldOf(fieldOf(error, 'data'), 'originalError')))
  return new WalletProblem(inner ?? CODES.get(codeOf(error)) ?? otherwise)
}

function codeOf(error: unknown): number {
  return Number(fieldOf(error, 'code'))
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}
