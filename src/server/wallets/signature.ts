import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import type { SignedMessage } from '#server/ports/chain.ts'

/**
 * 32 bytes of r, 32 of s, 1 of v: 27 or 28, from some wallets 0 or 1; without v if s contains the
 * parity.
 */
const KEY_SIGNATURE = /^0x([0-9a-f]{64})([0-9a-f]{64})(1b|1c|00|01)?$/i

/** The highest bit of s is the parity that v has elsewhere. Source: EIP-2098. */
const PARITY_BIT = 1n << 255n

/**
 * The address with its checksum; undefined if the text is no address or its checksum is wrong. A
 * lower-case address has no checksum. Source: EIP-55.
 */
export function canonicalAddress(text: string): string | undefined {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) return undefined
  const digits = text.slice(2).toLowerCase()
  const address = withChecksum(digits)
  return text === address || text === `0x${digits}` ? address : undefined
}

/** The 32 bytes that a wallet signs, in hexadecimal. Source: EIP-191. */
export function hashMessage(message: string): string {
  return Buffer.from(digestOf(message)).toString('hex')
}

/** According to EIP-191. */
export function isSignedByKey({ address, message, signature }: SignedMessage): boolean {
  const [found, r, s, v] = KEY_SIGNATURE.exec(signature) ?? []
  if (found === undefined) return false
  const high = BigInt(`0x${s}`)
  const isOdd = v === undefined ? high >= PARITY_BIT : /^(?:1c|01)$/i.test(v)
  const low = v === undefined ? high % PARITY_BIT : high
  try {
    const signed = new secp256k1.Signature(BigInt(`0x${r}`), low, isOdd ? 1 : 0)
    // Threat: anybody can derive a second signature with a larger s from a valid one (EIP-2).
    if (signed.hasHighS()) return false
    const key = signed.recoverPublicKey(digestOf(message)).toBytes(false).subarray(1)
    return withChecksum(Buffer.from(keccak_256(key).subarray(-20)).toString('hex')) === address
  } catch {
    // The numbers are not a point of the curve, so they are no signature.
    return false
  }
}

/** Whether the length of a signature is that of a key's signature. */
export function isKeySignature(signature: string): boolean {
  return KEY_SIGNATURE.test(signature)
}

/** `factory` and `data`: the call that deploys the wallet. */
type WrappedSignature = { factory: string; data: string; signature: string }

const WRAPPED_END = '6492'.repeat(16)

/**
 * The signature of a wallet that is not deployed yet; undefined for any other. Its form is the ABI
 * encoding of an address and two byte strings, before a fixed ending. Source: ERC-6492.
 */
export function unwrapSignature(wrapped: string): WrappedSignature | undefined {
  const digits = wrapped.slice(2).toLowerCase()
  if (!digits.endsWith(WRAPPED_END)) return undefined
  const [factory = '', data, signature] = [
    digits.slice(24, 64),
    bytesIn(digits, 1),
    bytesIn(digits, 2),
  ]
  if (!digits.startsWith('0'.repeat(24)) || data === undefined || signature === undefined)
    return undefined
  return { factory, data, signature: `0x${signature}` }
}

/** The byte string whose position is in the word at `index`. */
function bytesIn(digits: string, index: number): string | undefined {
  const numberAt = (at: number) => Number(`0x${digits.slice(at, at + 64)}`)
  const start = numberAt(index * 64) * 2
  const end = start + 64 + numberAt(start) * 2
  return end <= digits.length - WRAPPED_END.length ? digits.slice(start + 64, end) : undefined
}

function digestOf(message: string): Uint8Array {
  const text = Buffer.from(message)
  const prefix = Buffer.from(`\u0019Ethereum Signed Message:\n${text.length}`)
  return keccak_256(Buffer.concat([prefix, text]))
}

function withChecksum(digits: string): string {
  const hash = Buffer.from(keccak_256(Buffer.from(digits))).toString('hex')
  const checked = digits.replaceAll(/[a-f]/g, (digit, at: number) =>
    hash.charAt(at) > '7' ? digit.toUpperCase() : digit,
  )
  return `0x${checked}`
}
