import { chainName } from '#core/wallets/chain.ts'
import type { BrowserWallet } from './browser-wallets.ts'
import { signMessage, type Account } from './wallet-account.ts'
import { useVerifyWallet, useWalletNonce } from './wallet-queries.ts'

/** A connected account whose ownership is not verified yet. */
export type Detected = { wallet: BrowserWallet; account: Account }

/**
 * `preparing`: the server makes the message; `signing`: the user signs it in the wallet; `sending`:
 * the server verifies the signature.
 */
export type ProofPhase = 'preparing' | 'signing' | 'sending'

type ToProve = Detected & { signal: AbortSignal; onPhase: (phase: ProofPhase) => void }

/**
 * Proves ownership of the account by having its wallet sign the server's message. Returns the
 * linked wallet.
 */
export function useProof() {
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
