import { isFixed } from '#core/notices/notice.ts'
import { decimalToUnits } from '#core/money/decimal.ts'
import { Refusal } from '#core/refusal.ts'
import type { Handler } from '#server/action.ts'
import { readNoticeSettings } from './get-notice-settings.ts'
import { rememberLanguage } from './notify.ts'
import { setChoice, setLossLimit, setPushAmounts } from './store.ts'

/** Topics of security stay on: whoever takes over an account would silence them first. */
export const updateNoticeSettings: Handler<'updateNoticeSettings'> = async (
  context,
  { userId, body: { choice, pushAmounts, lossLimit } },
) =>
  context.atomically(async ({ sql }) => {
    if (choice && isFixed(choice.topic)) throw new Refusal('notice-fixed', { field: 'choice' })
    const limit = typeof lossLimit === 'string' ? decimalToUnits(lossLimit) : lossLimit
    if (typeof limit === 'bigint' && limit <= 0n)
      throw new Refusal('loss-limit-invalid', { field: 'lossLimit' })
    if (choice) await setChoice(sql, { userId, ...choice })
    if (pushAmounts !== undefined) await setPushAmounts(sql, { userId, pushAmounts })
    if (limit !== undefined) await setLossLimit(sql, { userId, lossLimit: limit })
    await rememberLanguage(sql, userId)
    return readNoticeSettings(context, sql, userId)
  })
