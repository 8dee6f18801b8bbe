import { unitsToDecimal } from '#core/money/decimal.ts'
import { Refusal } from '#core/refusal.ts'
import { coinOf, unitsOfWei } from '#core/wallets/chain.ts'
import type { Handler } from '#server/action.ts'
import { throttle } from '#server/security/throttle.ts'
import { findWallet, setBalance } from './store.ts'

/** Limited, because access to chains is billed per request. */
const LOOKS_PER_MINUTE = 30

export const getWalletBalance: Handler<'getWalletBalance'> = async (
  { sql, chain, now },
  { userId, params: { id } },
) => {
  const wallet = await findWallet(sql, { userId, id })
  if (!wallet) throw new Refusal('not-found')
  if (!wallet.isConnected) throw new Refusal('wallet-disconnected')
  const chainId = Number(wallet.chainId)
  const coin = coinOf(chainId)
  if (coin === undefined) throw new Refusal('chain-unknown')
  await throttle(sql, {
    key: `wallet-balance:${userId}`,
    limit: LOOKS_PER_MINUTE,
    windowSeconds: 60,
  })
  const at = now()
  const balance = unitsToDecimal(
    unitsOfWei(await chain.balanceOf({ address: wallet.walletAddress, chainId })),
    8,
  )
  await setBalance(sql, { userId, id, chainId: wallet.chainId, balance, at })
  return { balance, coin, checkedAt: at.toISOString() }
}
