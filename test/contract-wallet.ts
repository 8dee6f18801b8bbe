import type { Anvil } from './anvil.ts'

/**
 * Puts a wallet that is a contract on the chain: it accepts whatever its owner's key signed, as EIP-1271 says. Its whole code asks the
 * precompiled contract at address 1 who signed (ecrecover), compares with the owner, and answers the word of acceptance or zeros.
 */
export async function deployContractWallet(anvil: Anvil, { address, owner }: { address: string; owner: string }): Promise<void> {
  const code = [
    '6004356000 52', // the hash
    '60a43560f81c 602052', // v, the 65th byte of the signature
    '606435604052', // r
    '608435606052', // s
    '60206080608060006001 5afa50', // ecrecover
    `608051 73${owner.slice(2)} 14`, // is it the owner?
    '631626ba7e02 60e01b 600052 60206000f3', // 1626ba7e times yes or no
  ]
  await anvil.send('anvil_setCode', [address, `0x${code.join('').replaceAll(' ', '')}`])
}
