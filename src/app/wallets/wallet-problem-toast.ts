import { sentenceOf } from '#contract/problem.ts'
import { t } from '#words/words.ts'
import { ApiError } from '#app/api/call.ts'
import { showFailure } from '#app/api/failure-toast.ts'
import { showToast } from '#app/ui/overlays/toast.ts'
import { WalletProblem } from './provider.ts'

/** Shows why a wallet could not be connected; nothing if the user canceled. */
export function showConnectionProblem(error: unknown): void {
  const { kind, message } = error instanceof WalletProblem ? error : new WalletProblem('failed')
  if (kind === 'canceled') return
  const description =
    kind === 'no-accounts' ? message : `${t('Failed to connect to MetaMask.')} ${message}`.trim()
  showToast({ title: t('Connection failed'), description, tone: 'destructive' })
}

/**
 * Shows why a wallet could not be verified: the server's reason, the wallet's, or just that it
 * failed.
 */
export function showVerificationProblem(error: unknown): void {
  if (error instanceof ApiError) return showFailure(error, 'verifyWallet')
  const { kind, message } = error instanceof WalletProblem ? error : new WalletProblem('failed')
  if (kind === 'canceled') return
  const description = message || sentenceOf({ code: 'wallet-signature-invalid', values: {} })
  showToast({ title: t('Verification failed'), description, tone: 'destructive' })
}
