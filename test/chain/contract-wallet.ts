import type { Anvil } from './anvil.ts'

/**
 * The code of a contract wallet that accepts the signatures of its owner's key (EIP-1271): it
 * recovers the signer with the precompiled contract at address 1 (ecrecover), compares it with the
 * owner, and returns the magic value or zeros.
 */
export function contractWalletCode(owner: string): string {
  const code = [
    '6004356000 52', // the hash
    '60a43560f81c 602052', // v, the 65th byte of the signature
    '606435604052', // r
    '608435606052', // s
    '60206080608060006001 5afa50', // ecrecover
    `608051 73${owner.slice(2)} 14`, // is it the owner?
    '631626ba7e02 60e01b 600052 60206000f3', // the magic value 1626ba7e × (1 or 0)
  ]
  return `0x${code.join('').replaceAll(' ', '')}`
}

export async function deployContractWallet(
  anvil: Anvil,
  { address, owner }: { address: string; owner: string },
): Promise<void> {
  await anvil.send('anvil_setCode', [address, contractWalletCode(owner)])
}
