import { msg, say } from '#words/words.ts'

/** A wallet's interface in the page. The shape of its results is not trusted. Source: EIP-1193. */
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

/**
 * Why a wallet request failed. `message` is shown to the user; empty if there is nothing to say but
 * that it failed.
 */
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
 * Sources: EIP-1193 (4001: the user declined), EIP-1474 (-32002: an earlier request is still open).
 */
function problemOf(error: unknown, otherwise: WalletProblemKind): WalletProblem {
  if (error instanceof WalletProblem) return error
  const code =
    typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
  if (code === 4001) return new WalletProblem('declined')
  return new WalletProblem(code === -32_002 ? 'pending' : otherwise)
}
