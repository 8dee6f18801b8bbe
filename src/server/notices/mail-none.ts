import type { Mail } from '#server/ports/mail.ts'

/**
 * A live book without a mail server: `doctor` says so, and screens offer nothing that would need
 * one.
 */
export function noMail(): Mail {
  return { provider: 'none' }
}
