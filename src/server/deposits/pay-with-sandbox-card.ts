import { Refusal } from '#core/refusal.ts'
import type { Handler } from '#server/action.ts'

export const payWithSandboxCard: Handler<'payWithSandboxCard'> = async (
  { payments },
  { userId, body },
) => {
  if (!payments.payByCard) throw new Refusal('not-found')
  const { clientSecret, number, expMonth, expYear, confirmed = false } = body
  return payments.payByCard({ clientSecret, number, expMonth, expYear, confirmed, userId })
}
