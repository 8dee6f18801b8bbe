export type Signed = { address: string; message: string; signature: string; chainId: number }

/** Port: the chains. Refuses with `chain-unconfigured` or `chain-unavailable` where a chain cannot be asked. */
export type Chain = {
  /** The address with EIP-55's checksum; undefined where the text is none, or its own checksum is wrong. */
  canonicalAddress: (text: string) => Promise<string | undefined>
  /** Whether the address signed the message: with its key, or, where the chain can be asked, as a contract (EIP-1271). */
  verifySignature: (signed: Signed) => Promise<boolean>
  /** What the address holds of the chain's own coin, in its smallest part. */
  balanceOf: (account: { address: string; chainId: number }) => Promise<bigint>
}
