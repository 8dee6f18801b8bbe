import { assert } from '#core/assert.ts'
import type { Signed } from '#server/ports/chain.ts'

/** Half the order of secp256k1: a larger s is the mirror image of a signature, made by anybody who saw it. Source: EIP-2. */
const LARGEST_S = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n

/** 32 bytes of r, 32 of s, 1 of v (27 or 28, from some wallets 0 or 1). */
const KEY_SIGNATURE = /^0x[0-9a-f]{64}([0-9a-f]{64})(1b|1c|00|01)$/i

/** viem costs 0.3 s and 30 MB: it is loaded with the first wallet. */
export function loadViem(): Promise<typeof import('viem')> {
  return import('viem')
}

/** Whether the key of `address` signed `message` as EIP-191 says. */
export async function isSignedByKey({ address, message, signature }: Signed): Promise<boolean> {
  const [, s] = KEY_SIGNATURE.exec(signature) ?? []
  if (s === undefined || BigInt(`0x${s}`) > LARGEST_S) return false
  const { recoverMessageAddress } = await loadViem()
  try {
    return (await recoverMessageAddress({ message, signature: toHex(signature) })) === address
  } catch {
    // No point of the curve belongs to these numbers: nobody signed this.
    return false
  }
}

export function toAddress(text: string): `0x${string}` {
  return toHex(text)
}

export function toHex(text: string): `0x${string}` {
  assert(isHex(text), 'the contract lets only hexadecimal through')
  return text
}

function isHex(text: string): text is `0x${string}` {
  return /^0x[0-9a-fA-F]*$/.test(text)
}
