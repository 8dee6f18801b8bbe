import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto'
import type { AddPasskeyRequest, PasskeyAssertion, PasskeyCreation } from '#contract/factors.ts'

/** Changes that a test makes to an answer, to see it refused. */
export type Flaws = {
  origin?: string
  rpId?: string
  type?: string
  isVerified?: boolean
  counter?: number
  userHandle?: string
}

/**
 * A device with one passkey, in software: ES256, without attestation. Source: W3C WebAuthn level 2,
 * sections 6.1 and 6.5.
 */
export type SoftPasskey = {
  id: string
  create: (options: PasskeyCreation, flaws?: Flaws) => AddPasskeyRequest
  assert: (options: { challenge: string; rpId: string }, flaws?: Flaws) => PasskeyAssertion
}

const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const HAS_CREDENTIAL = 0x40

const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')
const sha256 = (data: string | Uint8Array): Buffer => createHash('sha256').update(data).digest()

export function makeSoftPasskey(origin: string): SoftPasskey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const credentialId = randomBytes(32)
  const id = base64url(credentialId)
  let handle = ''
  let signatures = 0
  const clientData = (type: string, challenge: string, flaws: Flaws) =>
    Buffer.from(
      JSON.stringify({
        type: flaws.type ?? type,
        challenge,
        origin: flaws.origin ?? origin,
        crossOrigin: false,
      }),
    )
  const head = (
    rpId: string,
    flags: number,
    { isVerified = true, counter = (signatures += 1), ...flaws }: Flaws,
  ) => {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    return Buffer.concat([
      sha256(flaws.rpId ?? rpId),
      Buffer.from([flags | USER_PRESENT | (isVerified ? USER_VERIFIED : 0)]),
      count,
    ])
  }
  return {
    id,
    create: ({ challenge, rp, user }, flaws = {}) => {
      handle = user.id
      const length = Buffer.alloc(2)
      length.writeUInt16BE(credentialId.length)
      const credential = Buffer.concat([
        Buffer.alloc(16),
        length,
        credentialId,
        coseKey(publicKey.export({ format: 'jwk' })),
      ])
      const authData = Buffer.concat([head(rp.id, HAS_CREDENTIAL, flaws), credential])
      return {
        id,
        clientDataJSON: base64url(clientData('webauthn.create', challenge, flaws)),
        attestationObject: base64url(attestation(authData)),
        transports: ['internal'],
      }
    },
    assert: ({ challenge, rpId }, flaws = {}) => {
      const authenticatorData = head(rpId, 0, flaws)
      const data = clientData('webauthn.get', challenge, flaws)
      const signature = createSign('sha256')
        .update(Buffer.concat([authenticatorData, sha256(data)]))
        .sign(privateKey)
      return {
        id,
        clientDataJSON: base64url(data),
        authenticatorData: base64url(authenticatorData),
        signature: base64url(signature),
        userHandle: flaws.userHandle ?? handle,
      }
    },
  }
}

/** CBOR: {1: 2, 3: -7, -1: 1, -2: x, -3: y}. */
function coseKey({ x = '', y = '' }: { x?: string | undefined; y?: string | undefined }): Buffer {
  const part = (label: number, text: string) =>
    Buffer.concat([Buffer.from([label, 0x58, 0x20]), Buffer.from(text, 'base64url')])
  return Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01]),
    part(0x21, x),
    part(0x22, y),
  ])
}

/** CBOR: {"fmt": "none", "attStmt": {}, "authData": …}. */
function attestation(authData: Buffer): Buffer {
  const text = (word: string) =>
    Buffer.concat([Buffer.from([0x60 + word.length]), Buffer.from(word)])
  const length = Buffer.alloc(2)
  length.writeUInt16BE(authData.length)
  return Buffer.concat([
    Buffer.from([0xa3]),
    text('fmt'),
    text('none'),
    text('attStmt'),
    Buffer.from([0xa0]),
    text('authData'),
    Buffer.from([0x59]),
    length,
    authData,
  ])
}
