import { Secret, TOTP } from 'otpauth'

/**
 * An authenticator app with one secret. `lastStep`: the period of the code that it showed last;
 * each counts once.
 */
export type Authenticator = { secret: string; lastStep: number }

const PERIOD_MS = 30_000
export const STEPS_PER_HOUR = 3_600_000 / PERIOD_MS

/**
 * A code that was not shown before and stays valid at least until the period ends. It is of this
 * period or the next, because clocks of phones differ. Undefined if there is none yet.
 */
export function codeOf(app: Authenticator): string | undefined {
  const present = Math.floor(Date.now() / PERIOD_MS)
  const step = Math.max(app.lastStep + 1, present)
  if (step > present + 1) return undefined
  app.lastStep = step
  return new TOTP({ secret: Secret.fromBase32(app.secret) }).generate({
    timestamp: step * PERIOD_MS,
  })
}
