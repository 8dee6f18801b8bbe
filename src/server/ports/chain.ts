export type SignedMessage = { address: string; message: string; signature: string; chainId: number }

/**
 * Port: blockchains. Refuses as `chain-unconfigured` or `chain-unavailable` if a chain cannot be
 * reached.
 */
export type Chain = {
  /**
   * Whether the address signed the message: with its key or, if access to the chain is configured,
   * as a contract (EIP-1271).
   */
  verifySignature: (signed: SignedMessage) => Promise<boolean>
  /** The address's balance of the chain's own coin, in its smallest unit. */
  balanceOf: (account: { address: string; chainId: number }) => Promise<bigint>
}
