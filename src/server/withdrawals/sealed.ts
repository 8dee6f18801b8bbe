import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { assert } from '#core/assert.ts'

/** Names the key, so that a new key can be introduced while old rows are re-encrypted. */
const KEY_ID = 'k1'

const keyOf = (secret: string): Buffer => Buffer.from(hkdfSync('sha256', secret, '', `bank-accounts:${KEY_ID}`, 32))

/** AES-256-GCM. The user's id is authenticated too: a sealed number copied to another user's row does not open. */
export function seal({ text, userId, secret }: { text: string; userId: string; secret: string }): string {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', keyOf(secret), nonce).setAAD(Buffer.from(userId))
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return [KEY_ID, nonce.toString('base64'), cipher.getAuthTag().toString('base64'), sealed.toString('base64')].join('.')
}

/** Throws if the secret or the user is another than at sealing, or if a byte was changed. */
export function unseal({ sealed, userId, secret }: { sealed: string; userId: string; secret: string }): string {
  const [keyId, nonce = '', tag = '', body = ''] = sealed.split('.')
  assert(keyId === KEY_ID, 'sealed with an unknown key')
  const decipher = createDecipheriv('aes-256-gcm', keyOf(secret), Buffer.from(nonce, 'base64'), { authTagLength: 16 })
  decipher.setAAD(Buffer.from(userId)).setAuthTag(Buffer.from(tag, 'base64'))
  return Buffer.concat([decipher.update(Buffer.from(body, 'base64')), decipher.final()]).toString('utf8')
}
