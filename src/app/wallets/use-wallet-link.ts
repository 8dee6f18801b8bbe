import { useEffect, useRef, useState } from 'react'
import { chainName } from '#core/wallets/chain.ts'
import { ApiError } from '../api/call.ts'
import { showFailure } from '../ui/failure-toast.ts'
import { showToast } from '../ui/toast.ts'
import type { BrowserWallet } from './browser-wallets.ts'
import { WalletProblem } from './provider.ts'
import { connectAccount, signMessage, watchAccount, type Account } from './wallet-account.ts'
import { useRefreshBalance, useVerifyWallet, useWalletNonce } from './wallet-queries.ts'

type Detected = { wallet: BrowserWallet; account: Account }

/** `asking` the server for a message, `signing` it in the wallet, `sending` the signature. */
export type LinkState =
  | { phase: 'start' | 'choosing' | 'connecting' }
  | (Detected & { phase: 'detected' | 'asking' | 'signing' | 'sending' })

/** The way of a wallet from unknown to linked. One step runs at a time; a new one, a cancellation or leaving the screen ends it. */
export function useWalletLink() {
  const [state, setState] = useState<LinkState>({ phase: 'start' })
  const running = useRef<AbortController>(undefined)
  const getNonce = useWalletNonce().mutateAsync
  const verify = useVerifyWallet().mutateAsync
  const refreshBalance = useRefreshBalance().mutate

  const stop = (problem = new WalletProblem('canceled')) => running.current?.abort(problem)
  const begin = (): AbortSignal => {
    stop()
    running.current = new AbortController()
    return running.current.signal
  }
  useEffect(() => () => running.current?.abort(new WalletProblem('canceled')), [])
  useEffect(() => {
    // Once the signature is on its way, what the wallet shows no longer matters.
    if (!('wallet' in state) || state.phase === 'sending') return undefined
    const { wallet, account } = state
    return watchAccount(wallet, account, ({ problem, account: next }) => {
      running.current?.abort(problem)
      setState(next ? { phase: 'detected', wallet, account: next } : { phase: 'start' })
    })
  }, [state])

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
    const { address: walletAddress, chainId } = account
    const go = (phase: 'asking' | 'signing' | 'sending' | 'detected') => signal.aborted || setState({ phase, wallet, account })
    try {
      go('asking')
      const { message } = await getNonce({ walletAddress, chainId: String(chainId) })
      signal.throwIfAborted()
      go('signing')
      const signature = await signMessage({ wallet, account, message, signal })
      go('sending')
      const { walletType } = wallet
      const { id } = await verify({ walletAddress, signature, message, walletType, chainId, chainName: chainName(chainId) })
      showToast({ title: 'Wallet verified successfully', description: 'Your crypto wallet has been securely linked to your account.' })
      // The first look; where it fails, the list says that the balance was not read, and its button tries again.
      refreshBalance(id)
      setState({ phase: 'start' })
    } catch (error) {
      go('detected')
      // What came after the end of this step, such as an answer of the server, is nobody's business any more.
      showVerificationProblem(signal.aborted ? signal.reason : error)
    }
  }

  const cancel = () => {
    stop()
    setState({ phase: 'start' })
  }
  return { state, choose: () => setState({ phase: 'choosing' }), connect, sign, cancel }
}

const CONNECTION_FAILED = 'Failed to connect to MetaMask.'
const VERIFICATION_FAILED = { title: 'Verification failed', description: 'Failed to verify wallet ownership. Please try again.' }

function showConnectionProblem(error: unknown): void {
  const { kind, message } = error instanceof WalletProblem ? error : new WalletProblem('failed')
  if (kind === 'canceled') return
  const description = kind === 'no-accounts' ? message : `${CONNECTION_FAILED} ${message}`.trim()
  showToast({ title: 'Connection failed', description, tone: 'destructive' })
}

function showVerificationProblem(error: unknown): void {
  if (error instanceof ApiError) showFailure(error, { ...VERIFICATION_FAILED, description: 'Failed to complete wallet verification.' })
  else if (!(error instanceof WalletProblem)) showToast({ ...VERIFICATION_FAILED, tone: 'destructive' })
  else if (error.kind !== 'canceled') showToast({ ...VERIFICATION_FAILED, ...(error.message && { description: error.message }), tone: 'destructive' })
}
