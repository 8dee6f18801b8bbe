import { isFixed } from '#core/notices/notice.ts'
import { decimalToUnits } from '#core/money/decimal.ts'
import { Refusal } from '#core/refusal.ts'
import type { Handler } from '#server/action.ts'
import type { Context } from '#server/context.ts'
import { readNoticeSettings } from './get-notice-settings.ts'
import { readUnsubscribe } from './link.ts'
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

/**
 * One press of a mail program's button, without a session (RFC 8058): ends the mail of one topic,
 * and nothing else. Threat: scanners open every address in a message, so only a request with the
 * RFC's body counts.
 */
export async function unsubscribe(
  { atomically, config }: Pick<Context, 'atomically' | 'config'>,
  { token, body }: { token: string; body: Buffer },
): Promise<void> {
  const { userId, topic } = readUnsubscribe(token, config.SESSION_SECRET)
  // The body must be the pair `List-Unsubscribe=One-Click` in either form encoding.
  if (!['List-Unsubscribe', 'One-Click'].every((word) => body.includes(word)))
    throw new Refusal('invalid-input')
  const isKnown = await atomically(({ sql }) =>
    setChoice(sql, { userId, topic, channel: 'mail', isOn: false }),
  )
  if (!isKnown) throw new Refusal('not-found')
}
