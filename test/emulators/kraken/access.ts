import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { RestRequest } from '../exchange-side.ts'

import type { AccountOptions } from '../exchange-dialect.ts'

/** Returns the error of a request's key, signature or nonce, if any. */
export type AccessCheck = (request: RestRequest) => string | undefined

/** Every nonce must exceed the previous one; nonces with a wrong signature are ignored. */
export function accessCheck({ key, secret }: Pick<AccountOptions, 'key' | 'secret'>): AccessCheck {
  let lastNonce = 0n
  return ({ path, body, headers }) => {
    if (headers['api-key'] !== key) return 'EAPI:Invalid key'
    const nonce = new URLSearchParams(body).get('nonce') ?? ''
    if (!/^\d{1,20}$/.test(nonce)) return 'EAPI:Invalid nonce'
    if (!isSignedWith(secret, { path, nonce, body, signature: headers['api-sign'] }))
      return 'EAPI:Invalid signature'
    if (BigInt(nonce) <= lastNonce) return 'EAPI:Invalid nonce'
    lastNonce = BigInt(nonce)
    return undefined
  }
}

type Signed = {
  path: string
  nonce: string
  body: string
  signature: string | string[] | undefined
}

/** HMAC-SHA512, under the decoded secret, of the path and SHA-256 of nonce and body. */
function isSignedWith(secret: string, { path, nonce, body, signature }: Signed): boolean {
  const digest = createHash('sha256')
    .update(nonce + body)
    .digest()
  const expected = createHmac('sha512', Buffer.from(secret, 'base64'))
    .update(path)
    .update(digest)
    .digest()
  const given = Buffer.from(typeof signature === 'string' ? signature : '', 'base64')
  return given.length === expected.length && timingSafeEqual(given, expected)
}
