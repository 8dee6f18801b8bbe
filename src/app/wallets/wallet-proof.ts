import { chainName } from '#core/wallets/chain.ts'
import type { BrowserWallet } from './browser-wallets.ts'
import { signMessage, type Account } from './wallet-account.ts'
import { useVerifyWallet, useWalletNonce } from './wallet-queries.ts'

/** An account that its wallet showed us, not yet proven to be the user's. */
export type Detected = { wallet: BrowserWallet; account: Account }

/** `asking` the server for a message, `signing` it in the wallet, `sending` the signature. */
export type ProofPhase = 'asking' | 'signing' | 'sending'

type ToProve = Detected & { signal: AbortSignal; onPhase: (phase: ProofPhase) => void }

/** Proves with the server's message and the wallet's signature that the account is the user's, and answers with the linked wallet. */
export function useProof() {
  const getNonce = useWalletNonce().mutateAsync
  const verify = useVerifyWallet().mutateAsync
  return async ({ wallet, account, signal, onPhase }: ToProve) => {
    const { address: walletAddress, chainId } = account
    onPhase('asking')
    const { message } = await getNonce({ walletAddress, chainId: String(chainId) })
    signal.throwIfAborted()
    onPhase('signing')
    const signature = await signMessage({ wallet, account, message, signal })
    onPhase('sending')
    return verify({ walletAddress, signature, message, walletType: wallet.walletType, chainId, chainName: chainName(chainId) })
  }
}
