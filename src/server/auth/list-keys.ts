import { unitsToDecimal } from '#core/money/decimal.ts'
import type { Handler } from '#server/action.ts'
import { findKeys } from './program-key-store.ts'

export const listKeys: Handler<'listKeys'> = async ({ sql }, { userId }) =>
  (await findKeys(sql, userId)).map(
    ({ id, name, scope, networks, mostBots, dailyAmount, createdAt, expiresAt, lastUsedAt }) => ({
      id,
      name,
      scope,
      networks,
      mostBots,
      dailyAmount: dailyAmount === null ? null : unitsToDecimal(dailyAmount, 2),
      createdAt: createdAt.toISOString(),
      expiresAt: expiresAt.toISOString(),
      lastUsedAt: lastUsedAt?.toISOString() ?? null,
    }),
  )
