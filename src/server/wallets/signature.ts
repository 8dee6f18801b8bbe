import { assert } from '#core/assert.ts'
import type { Signed } from '#server/ports/chain.ts'

/**
 * Half the order of secp256k1. Threat: anybody can derive a second signature with a larger s from a
 * valid one. Source: EIP-2.
 */
const LARGEST_S = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n

/** 32 bytes of r, 32 of s, 1 of v (27 or 28, from some wallets 0 or 1). */
const KEY_SIGNATURE = /^0x[0-9a-f]{64}([0-9a-f]{64})(1b|1c|00|01)$/i

/** Loaded on first use, because viem costs 0.3 s and 30 MB. */
export function loadViem(): Promise<typeof import('viem')> {
  return import('viem')
}

/** Whether the key of `address` signed `message` according to EIP-191. */
export async function isSignedByKey({ address, message, signature }: Signed): Promise<boolean> {
  const [, s] = KEY_SIGNATURE.exec(signature) ?? []
  if (s === undefined || BigInt(`0x${s}`) > LARGEST_S) return false
  const { recoverMessageAddress } = await loadViem()
  try {
    return (await recoverMessageAddress({ message, signature: toHex(signature) })) === address
  } catch {
    // These numbers are not a point of the curve: this is no signature.
    return false
  }
}

export function toAddress(text: string): `0x${string}` {
  return toHex(text)
}

export function toHex(text: string): `0x${string}` {
  assert(isHex(text), 'the contract accepts only hexadecimal')
  return text
}

function isHex(text: string): text is `0x${string}` {
  return /^0x[0-9a-fA-F]*$/.test(text)
}
