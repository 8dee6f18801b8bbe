import type { CryptoWallet } from '#contract/wallets.ts'
import { coinOf } from '#core/wallets/chain.ts'
import type { Handler } from '#server/action.ts'
import { findWallets, type StoredWallet } from './store.ts'

export const listWallets: Handler<'listWallets'> = async ({ sql }, { userId }) =>
  (await findWallets(sql, userId)).map(showWallet)

export function showWallet({
  chainId,
  lastBalanceCheck,
  connectedAt,
  disconnectedAt,
  ...wallet
}: StoredWallet): CryptoWallet {
  return {
    ...wallet,
    chainId: Number(chainId),
    coin: coinOf(Number(chainId)) ?? null,
    lastBalanceCheck: lastBalanceCheck?.toISOString() ?? null,
    connectedAt: connectedAt.toISOString(),
    disconnectedAt: disconnectedAt?.toISOString() ?? null,
  }
}
