import { english } from '#core/english.ts'
import { Refusal } from '#core/refusal.ts'

export type OwnershipClaim = {
  /** Host, with any non-default port. Wallets compare it with the address of the page. */
  domain: string
  uri: string
  /** With the EIP-55 checksum, or '{address}' before the wallet is known. */
  address: string
  chainId: number | '{chainId}'
  nonce: string
  issuedAt: Date
  expiresAt: Date
}

type OwnershipFields = {
  domain: string
  address: string
  statement: string
  uri: string
  version: string
  chainId: string
  nonce: string
  issuedAt: string
  expirationTime: string
}

const STATEMENT =
  'Link this wallet to my account. Signing proves that it is mine; it moves no money and ' +
  'costs nothing.'

/** Source: EIP-4361, Sign-In with Ethereum. */
export function ownershipMessage({
  domain,
  uri,
  address,
  chainId,
  nonce,
  issuedAt,
  expiresAt,
}: OwnershipClaim): string {
  return [
    `${domain} wants you to sign in with your Ethereum account:`,
    address,
    '',
    STATEMENT,
    '',
    `URI: ${uri}`,
    'Version: 1',
    `Chain ID: ${chainId}`,
    `Nonce: ${nonce}`,
    `Issued At: ${issuedAt.toISOString()}`,
    `Expiration Time: ${expiresAt.toISOString()}`,
  ].join('\n')
}

/** Groups in the order of `OwnershipFields`. */
const FORM = new RegExp(
  [
    '^([^\\s]+) wants you to sign in with your Ethereum account:',
    '(0x[0-9a-fA-F]{40})',
    '',
    '([^\\n]+)',
    '',
    'URI: ([^\\s]+)',
    'Version: ([^\\s]+)',
    'Chain ID: ([0-9]+)',
    'Nonce: ([a-zA-Z0-9]{8,})',
    'Issued At: ([^\\s]+)',
    'Expiration Time: ([^\\s]+)$',
  ].join('\\n'),
)

/** Undefined for text in another form than that of `ownershipMessage`. */
export function readOwnershipMessage(text: string): OwnershipFields | undefined {
  const match = FORM.exec(text)
  if (!match) return undefined
  const [
    domain = '',
    address = '',
    statement = '',
    uri = '',
    version = '',
    chainId = '',
    nonce = '',
    issuedAt = '',
    expirationTime = '',
  ] = match.slice(1)
  return { domain, address, statement, uri, version, chainId, nonce, issuedAt, expirationTime }
}

const FIELD_NAMES: Record<keyof OwnershipFields, string> = {
  domain: english('domain'),
  address: english('address'),
  statement: english('statement'),
  uri: 'URI',
  version: english('version'),
  chainId: english('chain ID'),
  nonce: 'nonce',
  issuedAt: english('issued-at time'),
  expirationTime: english('expiration time'),
}

const OTHER_FIELD = english(
  'The signed message has another {field} than the one we made. Please start again.',
)

/**
 * Refuses any text but the exact message made for `claim`, with the first field that differs.
 * Threat: replay of a signature given to another site, or for another chain, address or time.
 */
export function checkOwnershipMessage(text: string, claim: OwnershipClaim): void {
  const expectedText = ownershipMessage(claim)
  const expected = readOwnershipMessage(expectedText)
  const given = readOwnershipMessage(text)
  if (!given || !expected) throw new Refusal('wallet-message-invalid', { field: 'message' })
  const differing = (Object.keys(FIELD_NAMES) as (keyof OwnershipFields)[]).find(
    (name) => given[name] !== expected[name],
  )
  if (differing) {
    const values = { field: FIELD_NAMES[differing] }
    throw new Refusal('wallet-message-invalid', { field: 'message', sentence: OTHER_FIELD, values })
  }
  if (text !== expectedText) throw new Refusal('wallet-message-invalid', { field: 'message' })
}
