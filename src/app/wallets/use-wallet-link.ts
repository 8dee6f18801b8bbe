import { useCallback, useEffect, useRef, useState } from 'react'
import { t } from '#words/words.ts'
import { showToast } from '#app/ui/overlays/toast.ts'
import type { BrowserWallet } from './browser-wallets.ts'
import { WalletProblem } from './provider.ts'
import { connectAccount, watchAccount } from './wallet-account.ts'
import { showConnectionProblem, showVerificationProblem } from './wallet-problem-toast.ts'
import { useProof, type Detected, type ProofPhase } from './wallet-proof.ts'
import { useRefreshBalance } from './wallet-queries.ts'

type LinkState =
  | { phase: 'start' | 'choosing' | 'connecting' }
  | (Detected & { phase: 'detected' | ProofPhase })

/**
 * Takes a wallet from detection to a verified link. One step runs at a time; a new step, canceling
 * or leaving the screen aborts it.
 */
export function useWalletLink() {
  const [state, setState] = useState<LinkState>({ phase: 'start' })
  const { begin, end } = useOneStep()
  const prove = useProof()
  const refreshBalance = useRefreshBalance().mutate
  useEffect(() => {
    // Once the signature is sent, the wallet's state no longer matters.
    if (!('wallet' in state) || state.phase === 'sending') return undefined
    const { wallet, account } = state
    return watchAccount(wallet, account, ({ problem, account: next }) => {
      end(problem)
      setState(next ? { phase: 'detected', wallet, account: next } : { phase: 'start' })
    })
  }, [state, end])

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
      showToast({
        title: t('Wallet verified successfully'),
        description: t('Your crypto wallet has been securely linked to your account.'),
      })
      // Reads the balance for the first time, on a chain that has one. If that fails, the list says
      // so, and its button retries.
      if (coin !== null) refreshBalance(id)
      setState({ phase: 'start' })
    } catch (error) {
      go('detected')
      // After an abort only its reason counts, not what failed later, such as the server's answer.
      showVerificationProblem(signal.aborted ? signal.reason : error)
    }
  }

  const cancel = () => {
    end()
    setState({ phase: 'start' })
  }
  return { state, choose: () => setState({ phase: 'choosing' }), connect, sign, cancel }
}

/** Runs one step at a time: beginning another aborts it, and so does leaving the screen. */
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
