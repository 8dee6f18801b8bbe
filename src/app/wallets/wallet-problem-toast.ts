import { PROBLEMS } from '#contract/problem.ts'
import { ApiError } from '#app/api/call.ts'
import { showFailure } from '#app/api/failure-toast.ts'
import { showToast } from '#app/ui/overlays/toast.ts'
import { WalletProblem } from './provider.ts'

const CONNECTION_FAILED = 'Failed to connect to MetaMask.'
const VERIFICATION_FAILED = { title: 'Verification failed', description: PROBLEMS['wallet-signature-invalid'].message }

/** Shows why a wallet could not be connected; nothing if the user canceled. */
export function showConnectionProblem(error: unknown): void {
  const { kind, message } = error instanceof WalletProblem ? error : new WalletProblem('failed')
  if (kind === 'canceled') return
  const description = kind === 'no-accounts' ? message : `${CONNECTION_FAILED} ${message}`.trim()
  showToast({ title: 'Connection failed', description, tone: 'destructive' })
}

/** Shows why a wallet could not be verified: the server's reason, the wallet's, or just that it failed. */
export function showVerificationProblem(error: unknown): void {
  if (error instanceof ApiError) showFailure(error, 'verifyWallet')
  else if (!(error instanceof WalletProblem)) showToast({ ...VERIFICATION_FAILED, tone: 'destructive' })
  else if (error.kind !== 'canceled') showToast({ ...VERIFICATION_FAILED, ...(error.message && { description: error.message }), tone: 'destructive' })
}
