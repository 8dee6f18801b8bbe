import type { Handler } from '#server/action.ts'
import { countFactors, findAuthenticator, findPasskeys } from './factor-store.ts'

export const getFactors: Handler<'getFactors'> = async ({ sql }, { userId }) => {
  const [passkeys, authenticator, { codes }] = await Promise.all([
    findPasskeys(sql, userId),
    findAuthenticator(sql, userId),
    countFactors(sql, userId),
  ])
  return {
    passkeys: passkeys.map(({ id, name, createdAt, lastUsedAt }) => ({
      id,
      name,
      createdAt: createdAt.toISOString(),
      lastUsedAt: lastUsedAt?.toISOString() ?? null,
    })),
    authenticatorSince: authenticator?.confirmedAt?.toISOString() ?? null,
    recoveryCodesLeft: codes,
  }
}
