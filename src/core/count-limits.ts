import { Refusal } from './refusal.ts'

/** The most that a user can have of each thing, by the code that refuses one more. */
export const COUNT_LIMITS = {
  'too-many-bots': 100,
  'too-many-bank-accounts': 10,
  'too-many-wallets': 20,
  'too-many-passkeys': 10,
  'too-many-keys': 10,
  'too-many-push-devices': 20,
  'too-many-webhooks': 5,
} as const

/** `count`: the existing ones, without the one to be added. */
export function checkCount(code: keyof typeof COUNT_LIMITS, count: number): void {
  if (count >= COUNT_LIMITS[code]) throw new Refusal(code)
}
