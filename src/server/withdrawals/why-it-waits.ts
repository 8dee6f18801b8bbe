import { utcMinuteText } from '#core/utc-text.ts'
import type { HoldReason } from '#core/withdrawals/hold-reason.ts'
import { isUnsent, type WithdrawalState } from '#core/withdrawals/withdrawal.ts'

const BECAUSE: Record<HoldReason, string> = {
  'password-reset': 'the password was reset',
  'password-changed': 'the password was changed',
  'email-verified': 'an email address was verified',
  'factor-changed': 'second factors or recovery codes were changed',
  'bank-account-added': 'a bank account was added',
  'bank-account-default': 'another bank account became the default',
  disowned: '"This was not me" was pressed',
}

type Held = { state: WithdrawalState; heldUntil: Date | null; holdReason: HoldReason | null }

export function whyItWaits({ state, heldUntil, holdReason }: Held): string | undefined {
  if (!isUnsent(state)) return undefined
  if (holdReason === 'disowned')
    return `until the owner sets a new password by mail: ${BECAUSE[holdReason]}`
  if (heldUntil === null) return undefined
  return (
    `until ${utcMinuteText(heldUntil)} UTC: ` +
    (holdReason === null ? 'by the delay that the owner chose' : BECAUSE[holdReason])
  )
}
