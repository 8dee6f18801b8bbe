import { cookieOf } from '#app/ui/device/cookie-of.ts'

/**
 * An answer as it lies on this device. `hash` names the call and its arguments, no figures; the
 * bytes name them too, so that none passes for another.
 */
export type Sealed = {
  hash: string
  updatedAt: number
  iv: Uint8Array<ArrayBuffer>
  bytes: ArrayBuffer
}

const CIPHER = 'AES-GCM'

const encoded = (text: string) => new TextEncoder().encode(text)

/**
 * The key that the session gave this browser; undefined without a session, and where the browser
 * does not encrypt, which is without TLS.
 */
export async function sessionKey(): Promise<CryptoKey | undefined> {
  const text = cookieOf('kept')
  return text === undefined || !isSecureContext
    ? undefined
    : crypto.subtle.importKey('raw', encoded(text), CIPHER, false, ['encrypt', 'decrypt'])
}

export async function seal(
  key: CryptoKey,
  answer: { hash: string; updatedAt: number },
): Promise<Sealed> {
  const { hash, updatedAt } = answer
  const iv = crypto.getRandomValues(new Uint8Array(12))
  return {
    hash,
    updatedAt,
    iv,
    bytes: await crypto.subtle.encrypt({ name: CIPHER, iv }, key, encoded(JSON.stringify(answer))),
  }
}

/** Undefined if another key sealed it, as that of an earlier session. */
export async function unseal(key: CryptoKey, { iv, bytes }: Sealed): Promise<unknown> {
  const plain = await crypto.subtle.decrypt({ name: CIPHER, iv }, key, bytes).catch(() => undefined)
  return plain && (JSON.parse(new TextDecoder().decode(plain)) as unknown)
}
