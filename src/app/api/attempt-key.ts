/**
 * A random idempotency key for one attempt of a money action. Works without TLS too, where
 * `crypto.randomUUID` is missing.
 */
export function newAttemptKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}
