import { z } from 'zod'
import { msg } from '#words/words.ts'
import type { CallRows } from './call-row.ts'
import { PROBLEMS } from './problem.ts'
import { atMost, Decimal, Id, Name, Timestamp, TypedText } from './wire.ts'

/** Chain numbers up to 16 digits, the largest that are exact in JSON. */
const ChainNumber = z.int().min(1).max(Number.MAX_SAFE_INTEGER)

const Coin = z.enum(['ETH', 'BNB', 'POL'])

export const CryptoWallet = z.strictObject({
  id: Id,
  walletType: z.string(),
  /** With the EIP-55 checksum. */
  walletAddress: z.string(),
  chainId: ChainNumber,
  chainName: z.string(),
  /** The coin of the balance; null for chains whose balances we do not read. */
  coin: Coin.nullable(),
  isConnected: z.boolean(),
  /** In `coin`, as of `lastBalanceCheck`; zero before the first check. */
  lastBalance: Decimal,
  lastBalanceCheck: Timestamp.nullable(),
  connectedAt: Timestamp,
  disconnectedAt: Timestamp.nullable(),
})
export type CryptoWallet = z.infer<typeof CryptoWallet>

/**
 * The nonce is valid only for this address and chain. If they are left out, it is valid for those
 * of the signed message.
 */
export const WalletNonceQuery = z.strictObject({
  walletAddress: atMost(100, TypedText).optional(),
  chainId: z
    .string()
    .regex(/^[1-9]\d{0,15}$/, msg('A chain id is a number.'))
    .transform(Number)
    .pipe(ChainNumber)
    .optional(),
})

/**
 * The app must replace `{address}` (EIP-55 checksum) and `{chainId}` in `message` before the wallet
 * signs it. Valid once.
 */
export const WalletNonce = z.strictObject({
  nonce: z.string(),
  message: z.string(),
  expiresAt: Timestamp,
})

export const VerifyWalletRequest = z.strictObject({
  walletAddress: atMost(100, TypedText),
  /** A key's signature has 65 bytes; a contract's may have more. */
  signature: z.string().regex(/^0x([0-9a-fA-F]{2}){1,4096}$/, msg('A signature is hexadecimal.')),
  message: z.string().max(2_000),
  /** 'metamask', or another wallet's own name. */
  walletType: atMost(50, Name.min(1, PROBLEMS.required.message)),
  chainId: ChainNumber,
  /** Ignored, because chains have names of our own. */
  chainName: atMost(100, TypedText),
})

export const WalletBalance = z.strictObject({ balance: Decimal, coin: Coin, checkedAt: Timestamp })

export const walletCalls = {
  listWallets: { summary: 'Your wallets', access: 'user', response: z.array(CryptoWallet) },
  getWalletNonce: {
    summary: 'Get the message by which a wallet proves its owner',
    access: 'user',
    writes: true,
    query: WalletNonceQuery,
    response: WalletNonce,
    problems: ['wallet-address-invalid', 'too-many-attempts'],
  },
  verifyWallet: {
    summary: 'Connect a wallet by its signed message',
    access: 'user',
    body: VerifyWalletRequest,
    response: CryptoWallet,
    status: 201,
    problems: [
      'wallet-address-invalid',
      'wallet-message-invalid',
      'wallet-signature-invalid',
      'wallet-linked-elsewhere',
      'too-many-wallets',
      'wallet-nonce-unknown',
      'wallet-nonce-used',
      'wallet-nonce-expired',
      'chain-unavailable',
    ],
  },
  disconnectWallet: { summary: 'Disconnect a wallet', access: 'user', response: CryptoWallet },
  getWalletBalance: {
    summary: 'The balance of a wallet on its chain',
    access: 'user',
    writes: true,
    response: WalletBalance,
    problems: [
      'wallet-disconnected',
      'chain-unknown',
      'chain-unconfigured',
      'chain-unavailable',
      'too-many-attempts',
    ],
  },
} satisfies CallRows
