import { Refusal } from './refusal.ts'

/** How many of each a user can have, by the code that refuses one more. */
export const COUNT_LIMITS = {
  'too-many-bots': 100,
  'too-many-bank-accounts': 10,
  'too-many-wallets': 20,
  'too-many-passkeys': 10,
  'too-many-push-devices': 20,
  'too-many-webhooks': 5,
} as const

/** `count`: without the one that would be added. */
export function checkCount(code: keyof typeof COUNT_LIMITS, count: number): void {
  if (count >= COUNT_LIMITS[code]) throw new Refusal(code)
}
