import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { assert } from '#core/assert.ts'

/** Names the key, so that a new key can be introduced while old rows are re-encrypted. */
const KEY_ID = 'k1'

type Purpose = 'bank-accounts' | 'authenticators' | 'operators' | 'webhooks'

type Sealing = { userId: string; secret: string; purpose?: Purpose }

const keyOf = ({ secret, purpose = 'bank-accounts' }: Sealing): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', `${purpose}:${KEY_ID}`, 32))

/**
 * AES-256-GCM. The id of the user or operator is authenticated too, so that a sealed text copied to
 * another row cannot be opened.
 */
export function seal({ text, ...sealing }: Sealing & { text: string }): string {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', keyOf(sealing), nonce).setAAD(
    Buffer.from(sealing.userId),
  )
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return [
    KEY_ID,
    nonce.toString('base64'),
    cipher.getAuthTag().toString('base64'),
    sealed.toString('base64'),
  ].join('.')
}

/** Throws if the secret, purpose or user differs from sealing, or if a byte was changed. */
export function unseal({ sealed, ...sealing }: Sealing & { sealed: string }): string {
  const [keyId, nonce = '', tag = '', body = ''] = sealed.split('.')
  assert(keyId === KEY_ID, 'sealed with an unknown key')
  const decipher = createDecipheriv('aes-256-gcm', keyOf(sealing), Buffer.from(nonce, 'base64'), {
    authTagLength: 16,
  })
  decipher.setAAD(Buffer.from(sealing.userId)).setAuthTag(Buffer.from(tag, 'base64'))
  return Buffer.concat([decipher.update(Buffer.from(body, 'base64')), decipher.final()]).toString(
    'utf8',
  )
}
