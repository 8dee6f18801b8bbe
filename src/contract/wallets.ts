import { z } from 'zod'
import { Decimal, Id, Timestamp } from './wire.ts'

/** The largest chain number that is still exact in JSON has 16 digits. */
const ChainNumber = z.number().int().min(1).max(Number.MAX_SAFE_INTEGER)

const Coin = z.enum(['ETH', 'BNB', 'POL'])

export const CryptoWallet = z.strictObject({
  id: Id,
  walletType: z.string(),
  /** With EIP-55's checksum. */
  walletAddress: z.string(),
  chainId: ChainNumber,
  chainName: z.string(),
  /** The chain's own coin; null for a chain whose balances we do not read. */
  coin: Coin.nullable(),
  isConnected: z.boolean(),
  /** In the chain's own coin, as it was at `lastBalanceCheck`; zero before the first look. */
  lastBalance: Decimal,
  lastBalanceCheck: Timestamp.nullable(),
  connectedAt: Timestamp,
  disconnectedAt: Timestamp.nullable(),
})
export type CryptoWallet = z.infer<typeof CryptoWallet>

export const WalletNonceQuery = z.strictObject({
  walletAddress: z.string().max(100),
  chainId: z
    .string()
    .regex(/^[1-9]\d{0,15}$/, 'A chain has a number.')
    .transform(Number)
    .pipe(ChainNumber),
})

/** `message` is what the wallet signs, to the letter; it can be used once, until `expiresAt`. */
export const WalletNonce = z.strictObject({ nonce: z.string(), message: z.string(), expiresAt: Timestamp })

export const VerifyWalletRequest = z.strictObject({
  walletAddress: z.string().max(100),
  /** 65 bytes from a key; a contract may ask for more. */
  signature: z.string().regex(/^0x([0-9a-fA-F]{2}){1,4096}$/, 'A signature is hexadecimal.'),
  message: z.string().max(2_000),
  /** 'metamask', or what another wallet calls itself. */
  walletType: z.string().trim().min(1, 'Required').max(50),
  chainId: ChainNumber,
  /** Sent for the record; the name that is kept is our own. */
  chainName: z.string().max(100),
})
export type VerifyWalletRequest = z.infer<typeof VerifyWalletRequest>

export const WalletBalance = z.strictObject({ balance: Decimal, coin: Coin, checkedAt: Timestamp })
export type WalletBalance = z.infer<typeof WalletBalance>
