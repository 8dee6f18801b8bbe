/** A wallet's interface in the page. Nothing that it answers is trusted to have a shape. Source: EIP-1193. */
export type Provider = {
  request: (question: Question) => Promise<unknown>
  on?: (event: string, listener: (news: unknown) => void) => void
  removeListener?: (event: string, listener: (news: unknown) => void) => void
}

export type Question = { method: string; params?: readonly unknown[] }

export function isProvider(value: unknown): value is Provider {
  return typeof value === 'object' && value !== null && 'request' in value && typeof value.request === 'function'
}

export type WalletProblemKind = 'canceled' | 'declined' | 'pending' | 'silent' | 'account-changed' | 'chain-changed' | 'no-accounts' | 'failed'

const SENTENCES: Record<WalletProblemKind, string> = {
  canceled: '',
  declined: 'You declined the request in your wallet.',
  pending: 'Open your wallet, a request is waiting.',
  silent: 'Your wallet did not answer. Open it and try again.',
  'account-changed': 'The account in your wallet changed. Nothing was linked; please start again.',
  'chain-changed': 'The network in your wallet changed. Nothing was linked; please start again.',
  'no-accounts': 'No accounts found',
  failed: '',
}

/** Why a wallet gave us nothing. `message` is for people; it is empty where there is nothing to say but that it failed. */
export class WalletProblem extends Error {
  override readonly name = 'WalletProblem'
  readonly kind: WalletProblemKind

  constructor(kind: WalletProblemKind) {
    super(SENTENCES[kind])
    this.kind = kind
  }
}

/** Asks the wallet and waits for at most `timeoutMs`, or until `signal` ends it. Throws nothing but `WalletProblem`. */
export async function ask(provider: Provider, question: Question, { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal }): Promise<unknown> {
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
    return await Promise.race([provider.request(question), interruption])
  } catch (error) {
    throw problemOf(error, signal.aborted ? 'canceled' : 'failed')
  } finally {
    stopWaiting()
  }
}

/** Source: EIP-1193 (4001, the user declined), EIP-1474 (-32002, a request of ours is open already). */
function problemOf(error: unknown, otherwise: WalletProblemKind): WalletProblem {
  if (error instanceof WalletProblem) return error
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
  if (code === 4001) return new WalletProblem('declined')
  return new WalletProblem(code === -32_002 ? 'pending' : otherwise)
}
