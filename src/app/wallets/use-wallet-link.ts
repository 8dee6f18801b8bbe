import { useCallback, useEffect, useRef, useState } from 'react'
import { sentenceOf } from '#contract/problem.ts'
import type { RequestOf } from '#contract/calls.ts'
import { chainName } from '#core/wallets/chain.ts'
import { t } from '#words/words.ts'
import { useAction } from '#app/api/actions.ts'
import { ApiError, call } from '#app/api/call.ts'
import { showFailure } from '#app/api/failure-toast.ts'
import { useAnswer } from '#app/api/queries.ts'
import { showToast } from '#app/ui/overlays/toast.ts'
import type { BrowserWallet } from './browser-wallets.ts'
import { WalletProblem } from './provider.ts'
import { connectAccount, signMessage, watchAccount, type WalletAccount } from './wallet-account.ts'

type LinkState =
  | { phase: 'start' | 'choosing' | 'connecting' }
  | (Detected & { phase: 'detected' | ProofPhase })

/**
 * The steps from detecting a wallet to the verified link. One step runs at a time; a new step,
 * canceling or leaving the screen aborts it.
 */
export function useWalletLink() {
  const [state, setState] = useState<LinkState>({ phase: 'start' })
  const { begin, end } = useOneStep()
  const prove = useProof()
  const refreshBalance = useRefreshBalance().mutate
  useWatchedAccount({ state, setState, end })

  const connect = async (wallet: BrowserWallet) => {
    const signal = begin()
    setState({ phase: 'connecting' })
    try {
      const account = await connectAccount(wallet, signal)
      if (!signal.aborted) setState({ phase: 'detected', wallet, account })
    } catch (error) {
      if (!signal.aborted) setState({ phase: 'start' })
      showConnectionProblem(error)
    }
  }

  const sign = async ({ wallet, account }: Detected) => {
    const signal = begin()
    const go = (phase: 'detected' | ProofPhase) =>
      signal.aborted || setState({ phase, wallet, account })
    try {
      const { id, coin } = await prove({ wallet, account, signal, onPhase: go })
      showLinked()
      // Reads the balance for the first time, if the chain has one. A failure is shown in the list,
      // where a button retries.
      if (coin !== null) refreshBalance(id)
      setState({ phase: 'start' })
    } catch (error) {
      go('detected')
      // After an abort, shows only its reason, and not a later failure, such as the server's
      // answer.
      showVerificationProblem(signal.aborted ? signal.reason : error)
    }
  }

  const cancel = () => {
    end()
    setState({ phase: 'start' })
  }
  return { state, choose: () => setState({ phase: 'choosing' }), connect, sign, cancel }
}

/** Cancels if the wallet changes or loses its account before the signature is sent. */
function useWatchedAccount({
  state,
  setState,
  end,
}: {
  state: LinkState
  setState: (state: LinkState) => void
  end: (problem?: WalletProblem) => void
}): void {
  useEffect(() => {
    if (!('wallet' in state) || state.phase === 'sending') return undefined
    const { wallet, account } = state
    return watchAccount(wallet, account, ({ problem, account: next }) => {
      end(problem)
      setState(next ? { phase: 'detected', wallet, account: next } : { phase: 'start' })
    })
  }, [state, setState, end])
}

/** Runs one step at a time: beginning another step, or leaving the screen, aborts it. */
function useOneStep(): { begin: () => AbortSignal; end: (problem?: WalletProblem) => void } {
  const running = useRef<AbortController>(undefined)
  const end = useCallback(
    (problem = new WalletProblem('canceled')) => running.current?.abort(problem),
    [],
  )
  const begin = useCallback(() => {
    end()
    running.current = new AbortController()
    return running.current.signal
  }, [end])
  useEffect(() => () => end(), [end])
  return { begin, end }
}

type Detected = { wallet: BrowserWallet; account: WalletAccount }

/**
 * `preparing`: the server makes the message; `signing`: the user signs it in the wallet; `sending`:
 * the server verifies the signature.
 */
type ProofPhase = 'preparing' | 'signing' | 'sending'

type ToProve = Detected & { signal: AbortSignal; onPhase: (phase: ProofPhase) => void }

/**
 * Proves ownership of the account by having its wallet sign the server's message. Returns the
 * linked wallet.
 */
function useProof() {
  const getNonce = useWalletNonce().mutateAsync
  const verify = useVerifyWallet().mutateAsync
  return async ({ wallet, account, signal, onPhase }: ToProve) => {
    const { address: walletAddress, chainId } = account
    onPhase('preparing')
    const { message } = await getNonce({ walletAddress, chainId: String(chainId) })
    signal.throwIfAborted()
    onPhase('signing')
    const signature = await signMessage({ wallet, account, message, signal })
    onPhase('sending')
    return verify({
      walletAddress,
      signature,
      message,
      walletType: wallet.walletType,
      chainId,
      chainName: chainName(chainId),
    })
  }
}

function showLinked(): void {
  showToast({
    title: t('Wallet verified successfully'),
    description: t('Your crypto wallet has been securely linked to your account.'),
  })
}

function showConnectionProblem(error: unknown): void {
  const { kind, message } = error instanceof WalletProblem ? error : new WalletProblem('failed')
  if (kind === 'canceled') return
  const description =
    kind === 'no-accounts' ? message : `${t('Failed to connect to MetaMask.')} ${message}`.trim()
  showToast({ title: t('Connection failed'), description, tone: 'destructive' })
}

function showVerificationProblem(error: unknown): void {
  if (error instanceof ApiError) return showFailure(error, 'verifyWallet')
  const { kind, message } = error instanceof WalletProblem ? error : new WalletProblem('failed')
  if (kind === 'canceled') return
  const description = message || sentenceOf({ code: 'wallet-signature-invalid', values: {} })
  showToast({ title: t('Verification failed'), description, tone: 'destructive' })
}

/** Not in `api/queries.ts`, because every screen loads that file. */
export function useWallets() {
  return useAnswer(['listWallets'], {})
}

function useWalletNonce() {
  return useAction('getWalletNonce', (query: RequestOf<'getWalletNonce'>['query']) =>
    call('getWalletNonce', { query }),
  )
}

function useVerifyWallet() {
  return useAction('verifyWallet', (body: RequestOf<'verifyWallet'>['body']) =>
    call('verifyWallet', { body }),
  )
}

export function useDisconnectWallet() {
  return useAction('disconnectWallet', (id: string) => call('disconnectWallet', { params: { id } }))
}

export function useRefreshBalance() {
  return useAction('getWalletBalance', (id: string) => call('getWalletBalance', { params: { id } }))
}
