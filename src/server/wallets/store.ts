import { part, type Queries } from '#server/db/statement.ts'

export type StoredWallet = {
  id: string
  walletType: string
  walletAddress: string
  chainId: bigint
  chainName: string
  isConnected: boolean
  lastBalance: string
  lastBalanceCheck: Date | null
  connectedAt: Date
  disconnectedAt: Date | null
}

const walletColumns = part`
  id, wallet_type, wallet_address, chain_id, chain_name, is_connected, last_balance,
  last_balance_check, connected_at, disconnected_at`

/** Connected ones first, then the newest; 50 at most. */
export async function findWallets(sql: Queries, userId: string): Promise<StoredWallet[]> {
  return sql<StoredWallet[]>`
    select ${walletColumns} from crypto_wallets where user_id = ${userId}
     order by is_connected desc, connected_at desc, id desc limit 50`
}

export async function findWallet(
  sql: Queries,
  { userId, id }: { userId: string; id: string },
): Promise<StoredWallet | undefined> {
  const [wallet] = await sql<
    StoredWallet[]
  >`select ${walletColumns} from crypto_wallets where user_id = ${userId} and id = ${id}`
  return wallet
}

/**
 * Makes a user's wallet actions wait for each other, so that limits cannot be exceeded
 * concurrently.
 */
export async function lockWalletsOf(tx: Queries, userId: string): Promise<void> {
  await tx`select from users where id = ${userId} for no key update`
}

export async function countOtherWallets(
  tx: Queries,
  { userId, walletAddress }: { userId: string; walletAddress: string },
): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    select count(*)::integer as count from crypto_wallets
     where user_id = ${userId} and is_connected
       and lower(wallet_address) <> lower(${walletAddress})`
  return row?.count ?? 0
}

export type NewWallet = {
  id: string
  userId: string
  walletAddress: string
  walletType: string
  chainId: number
  chainName: string
  connectedAt: Date
}

/** Connects a wallet. If its chain changes, the balance of the previous one is reset. */
export async function connectWallet(
  tx: Queries,
  wallet: NewWallet,
): Promise<StoredWallet | undefined> {
  const [connected] = await tx<StoredWallet[]>`
    insert into crypto_wallets as w (user_id, id, wallet_address, wallet_type, chain_id, chain_name,
           connected_at)
    values (${wallet.userId}, ${wallet.id}, ${wallet.walletAddress}, ${wallet.walletType},
           ${wallet.chainId}, ${wallet.chainName}, ${wallet.connectedAt})
    on conflict (user_id, lower(wallet_address)) do update
      set wallet_type = excluded.wallet_type, chain_id = excluded.chain_id,
          chain_name = excluded.chain_name,
          is_connected = true, disconnected_at = null,
          connected_at = case when w.is_connected then w.connected_at
          else excluded.connected_at end,
          last_balance = case when w.chain_id = excluded.chain_id then w.last_balance else 0 end,
          last_balance_check = case when w.chain_id = excluded.chain_id
          then w.last_balance_check end
    returning ${walletColumns}`
  return connected
}

/**
 * Claims an address for its only owner: false if it belongs to another user. Waits for a concurrent
 * claim.
 */
export async function claimAddress(
  tx: Queries,
  { userId, walletAddress }: { userId: string; walletAddress: string },
): Promise<boolean> {
  const { count } = await tx`
    insert into connected_wallets as known (address_key, user_id)
    values (lower(${walletAddress}), ${userId})
    on conflict (address_key) do update set user_id = excluded.user_id
  where known.user_id = excluded.user_id`
  return count === 1
}

export async function releaseAddress(
  tx: Queries,
  { userId, walletAddress }: { userId: string; walletAddress: string },
): Promise<void> {
  await tx`delete from connected_wallets where address_key = lower(${walletAddress})
    and user_id = ${userId}`
}

export async function markDisconnected(
  tx: Queries,
  { userId, id, at }: { userId: string; id: string; at: Date },
): Promise<boolean> {
  const rows = await tx`
    update crypto_wallets set is_connected = false, disconnected_at = ${at}
     where user_id = ${userId} and id = ${id} and is_connected returning id`
  return rows.length > 0
}

type SeenBalance = { userId: string; id: string; chainId: bigint; balance: string; at: Date }

/** Does nothing if the wallet has moved to another chain, or if a later balance is stored. */
export async function setBalance(
  sql: Queries,
  { userId, id, chainId, balance, at }: SeenBalance,
): Promise<void> {
  await sql`
    update crypto_wallets set last_balance = ${balance}, last_balance_check = ${at}
     where user_id = ${userId} and id = ${id} and chain_id = ${chainId}
       and coalesce(last_balance_check <= ${at}, true)`
}

/** Address and chain are null if the nonce was requested without them. */
export type StoredNonce = {
  nonce: string
  walletAddress: string | null
  chainId: bigint | null
  issuedAt: Date
  expiresAt: Date
  usedAt: Date | null
}

type NewNonce = {
  nonce: string
  userId: string
  walletAddress: string | undefined
  chainId: number | undefined
  issuedAt: Date
  expiresAt: Date
}

export async function insertNonce(
  tx: Queries,
  { nonce, userId, walletAddress, chainId, issuedAt, expiresAt }: NewNonce,
): Promise<void> {
  await tx`
    insert into wallet_nonces (user_id, nonce, wallet_address, chain_id, issued_at, expires_at)
    values (${userId}, ${nonce}, ${walletAddress ?? null}, ${chainId ?? null}, ${issuedAt},
           ${expiresAt})`
}

export async function keepNewestNonces(
  tx: Queries,
  { userId, count }: { userId: string; count: number },
): Promise<void> {
  await tx`
    delete from wallet_nonces where user_id = ${userId} and nonce not in
      (select nonce from wallet_nonces where user_id = ${userId} order by issued_at desc, nonce
      limit ${count})`
}

/** Locks the nonce: of two concurrent uses, the second finds it used. */
export async function lockNonce(
  tx: Queries,
  { userId, nonce }: { userId: string; nonce: string },
): Promise<StoredNonce | undefined> {
  const [row] = await tx<StoredNonce[]>`
    select nonce, wallet_address, chain_id, issued_at, expires_at, used_at from wallet_nonces
     where user_id = ${userId} and nonce = ${nonce} for update`
  return row
}

export async function markNonceUsed(
  tx: Queries,
  { userId, nonce, at }: { userId: string; nonce: string; at: Date },
): Promise<void> {
  await tx`update wallet_nonces set used_at = ${at} where user_id = ${userId} and nonce = ${nonce}`
}
