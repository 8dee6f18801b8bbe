import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import type { Signed } from '#server/ports/chain.ts'

/** 32 bytes of r, 32 of s, 1 of v (27 or 28, from some wallets 0 or 1). */
const KEY_SIGNATURE = /^0x(?<r>[0-9a-f]{64})(?<s>[0-9a-f]{64})(?:(?<even>1b|00)|1c|01)$/i

/**
 * With its checksum; undefined if the text is no address or its checksum is wrong. Lower case has
 * no checksum. Source: EIP-55.
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
export function isSignedByKey({ address, message, signature }: Signed): boolean {
  const { r, s, even } = KEY_SIGNATURE.exec(signature)?.groups ?? {}
  if (r === undefined || s === undefined) return false
  try {
    const signed = new secp256k1.Signature(BigInt(`0x${r}`), BigInt(`0x${s}`), even ? 0 : 1)
    // Threat: anybody can derive a second signature with a larger s from a valid one (EIP-2).
    if (signed.hasHighS()) return false
    const key = signed.recoverPublicKey(digestOf(message)).toBytes(false).subarray(1)
    return withChecksum(Buffer.from(keccak_256(key).subarray(-20)).toString('hex')) === address
  } catch {
    // These numbers are not a point of the curve: this is no signature.
    return false
  }
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
