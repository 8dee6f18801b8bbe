import { createHmac, randomBytes } from 'node:crypto'
import {
  RECOVERY_CODE_BYTES,
  RECOVERY_CODES,
  recoveryCodeKey,
  recoveryCodeOf,
} from '#core/auth/recovery-code.ts'
import type { NoticeKind } from '#core/notices/notice.ts'
import { Refusal, type RefusalCode } from '#core/refusal.ts'
import type { ProofMethod } from '#contract/wire.ts'
import { knownAccount, type SignInAccount } from '#server/security/account-seal.ts'
import { auditUser } from '#server/security/audit.ts'
import type { Context } from '#server/context.ts'
import type { Book } from '#server/db/book.ts'
import type { Queries } from '#server/db/statement.ts'
import { notify } from '#server/notices/notify.ts'
import { holdWithdrawals } from '#server/withdrawal-holds.ts'
import { countFactors, replaceRecoveryCodes, deleteProofsOf } from './factor-store.ts'
import { endSessionsOf } from './frozen.ts'

/**
 * Methods that the user must choose from. With a second factor, the password alone is not accepted.
 */
export async function methodsOf(book: Book, userId: string): Promise<ProofMethod[]> {
  return methodsWith(await knownAccount(book, userId), await countFactors(book.sql, userId))
}

/**
 * Methods of proof. `counts` only shows whether a recovery code is left; codes cannot be forged
 * without the installation's secret.
 */
export function methodsWith(
  { passkeys, authenticator }: SignInAccount,
  { codes }: { codes: number },
): ProofMethod[] {
  if (passkeys.length === 0 && authenticator === null) return ['password']
  const methods: [ProofMethod, boolean][] = [
    ['passkey', passkeys.length > 0],
    ['authenticator', authenticator !== null],
    ['recovery-code', codes > 0],
  ]
  return methods.flatMap(([method, isThere]) => (isThere ? [method] : []))
}

export const hasFactor = (methods: readonly ProofMethod[]): boolean => !methods.includes('password')

/** A refusal that names the ways to prove identity. */
export function refusalWith(code: RefusalCode, methods: readonly ProofMethod[]): Refusal {
  return new Refusal(code, { values: { methods: methods.join(' ') } })
}

/**
 * Threat: codes of 50 bits could be found by brute force from plain hashes in a stolen table. So
 * the hash is keyed, with a key outside the database.
 */
export function recoveryHashOf(
  { config }: Pick<Context, 'config'>,
  { userId, code }: { userId: string; code: string },
): Buffer {
  return createHmac('sha256', config.SESSION_SECRET)
    .update(JSON.stringify(['recovery-code', userId, recoveryCodeKey(code)]))
    .digest()
}

export async function makeRecoveryCodes(
  context: Context,
  tx: Queries,
  userId: string,
): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () =>
    recoveryCodeOf(randomBytes(RECOVERY_CODE_BYTES)),
  )
  await replaceRecoveryCodes(tx, {
    userId,
    hashes: codes.map((code) => recoveryHashOf(context, { userId, code })),
  })
  return codes
}

type Change = {
  userId: string
  sessionId: string | undefined
  action: 'factor.add' | 'factor.remove' | 'recovery-codes.renew'
  details: Record<string, string>
  notice: NoticeKind
}

/**
 * Completes a change of factors: ends other sessions and unused proofs, and makes withdrawals wait.
 * Returns new recovery codes if the user renewed them or added a factor without having any.
 */
export async function finishChange(
  context: Context,
  tx: Book,
  { userId, sessionId, action, details, notice }: Change,
): Promise<string[]> {
  const { passkeys, authenticators, codes } = await countFactors(tx.sql, userId)
  if (passkeys + authenticators === 0) await replaceRecoveryCodes(tx.sql, { userId, hashes: [] })
  await endSessionsOf(tx.sql, { userId, except: sessionId })
  await deleteProofsOf(tx.sql, userId)
  const hold = await holdWithdrawals(context, tx, { userId, reason: 'factor-changed' })
  await notify(tx.sql, { userId, kind: notice, event: `factor:${context.newId()}`, details: hold })
  await auditUser(context, tx, { userId, action, details })
  const isShown = action === 'recovery-codes.renew' || (action === 'factor.add' && codes === 0)
  return isShown ? makeRecoveryCodes(context, tx.sql, userId) : []
}
