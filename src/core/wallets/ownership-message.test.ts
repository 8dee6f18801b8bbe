import { expect, test } from 'vitest'
import {
  checkOwnershipMessage,
  ownershipMessage,
  readOwnershipMessage,
  type OwnershipClaim,
} from './ownership-message.ts'

const claim: OwnershipClaim = {
  domain: 'bots.example:8443',
  uri: 'https://bots.example:8443',
  address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  chainId: 137,
  nonce: '5f1c0ffee5f1c0ffee5f1c0ffee5f1c0',
  issuedAt: new Date('2026-11-21T12:00:00.123Z'),
  expiresAt: new Date('2026-11-21T12:10:00.123Z'),
}
const message = ownershipMessage(claim)

test('the message has the form of EIP-4361', () => {
  expect(message).toBe(`bots.example:8443 wants you to sign in with your Ethereum account:
0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266

Link this wallet to my account. Signing proves that it is mine; it moves no money and costs nothing.

URI: https://bots.example:8443
Version: 1
Chain ID: 137
Nonce: 5f1c0ffee5f1c0ffee5f1c0ffee5f1c0
Issued At: 2026-11-21T12:00:00.123Z
Expiration Time: 2026-11-21T12:10:00.123Z`)
})

test('a message we built is parsed and accepted', () => {
  expect(readOwnershipMessage(message)).toMatchObject({
    domain: claim.domain,
    chainId: '137',
    nonce: claim.nonce,
  })
  expect(() => checkOwnershipMessage(message, claim)).not.toThrow()
})

const TAMPERED: [what: string, from: string, to: string][] = [
  ['another domain', 'bots.example:8443 wants', 'evil.example wants'],
  ['a domain without its port', 'bots.example:8443 wants', 'bots.example wants'],
  ['a scheme before the domain', 'bots.example:8443 wants', 'https://bots.example:8443 wants'],
  ['another prefix', 'wants you to sign in', 'kindly asks you to sign in'],
  ['another kind of account', 'Ethereum account', 'Solana account'],
  [
    'another address',
    '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
    '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  ],
  [
    'the address in lower case',
    '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
    '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
  ],
  ['another statement', 'moves no money', 'moves all money'],
  ['a second statement', '\n\nURI', '\nAnd I agree to everything.\n\nURI'],
  ['another URI', 'URI: https://bots.example:8443', 'URI: https://evil.example'],
  ['a URI with a path', 'URI: https://bots.example:8443', 'URI: https://bots.example:8443/admin'],
  ['another version', 'Version: 1', 'Version: 2'],
  ['another chain', 'Chain ID: 137', 'Chain ID: 1'],
  ['a chain with a leading zero', 'Chain ID: 137', 'Chain ID: 0137'],
  ['another nonce', '5f1c0ffee5f1c0ffee5f1c0ffee5f1c0', 'ffffffffffffffffffffffffffffffff'],
  ['a short nonce', '5f1c0ffee5f1c0ffee5f1c0ffee5f1c0', '5f1c'],
  [
    'an earlier issue time',
    'Issued At: 2026-11-21T12:00:00.123Z',
    'Issued At: 2026-11-21T11:00:00.123Z',
  ],
  [
    'the issue time in another notation',
    'Issued At: 2026-11-21T12:00:00.123Z',
    'Issued At: 2026-11-21T13:00:00.123+01:00',
  ],
  [
    'a later expiration',
    'Expiration Time: 2026-11-21T12:10:00.123Z',
    'Expiration Time: 2099-01-01T00:00:00.000Z',
  ],
  ['no expiration', '\nExpiration Time: 2026-11-21T12:10:00.123Z', ''],
  ['a not-before line', '\nExpiration', '\nNot Before: 2026-11-21T12:00:00.123Z\nExpiration'],
  ['resources at the end', '12:10:00.123Z', '12:10:00.123Z\nResources:\n- https://evil.example'],
  ['a line break at the end', '12:10:00.123Z', '12:10:00.123Z\n'],
  ['Windows line breaks', '\n\nURI', '\r\n\r\nURI'],
  [
    'text before the message',
    'bots.example:8443 wants',
    'I owe you a bitcoin.\nbots.example:8443 wants',
  ],
]

test.each(TAMPERED)('a message with %s is refused', (_what, from, to) => {
  const tampered = message.replace(from, to)
  expect(tampered).not.toBe(message)
  expect(() => checkOwnershipMessage(tampered, claim)).toThrow(
    expect.objectContaining({ code: 'wallet-message-invalid' }),
  )
})

test('the refusal names the field that differs', () => {
  const foreign = message.replace('Chain ID: 137', 'Chain ID: 1')
  expect(() => checkOwnershipMessage(foreign, claim)).toThrow(
    expect.objectContaining({ field: 'message', values: { field: 'chain ID' } }),
  )
})
