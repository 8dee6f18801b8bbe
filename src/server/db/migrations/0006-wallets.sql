-- Wallets with proven ownership of their key. One row for each user and address, which linking again revives.
create table crypto_wallets (
  user_id uuid not null constraint crypto_wallets_user references users,
  id uuid not null,
  -- With EIP-55's checksum: one spelling for each address.
  wallet_address text not null constraint crypto_wallets_address check (wallet_address ~ '^0x[0-9a-fA-F]{40}$'),
  wallet_type text not null,
  chain_id bigint not null constraint crypto_wallets_chain check (chain_id > 0),
  chain_name text not null,
  is_connected boolean not null default true,
  -- In the chain's own coin. Chains use 256 bits with 18 decimals: at most 60 digits before our 8 decimals.
  last_balance numeric(68, 8) not null default 0 constraint crypto_wallets_balance check (last_balance >= 0),
  last_balance_check timestamptz,
  connected_at timestamptz not null,
  disconnected_at timestamptz,
  constraint crypto_wallets_pkey primary key (user_id, id),
  constraint crypto_wallets_disconnected check (is_connected = (disconnected_at is null))
);
create unique index crypto_wallets_one_row on crypto_wallets (user_id, lower(wallet_address));

-- A directory: a connected address has one owner, case-insensitively; a disconnected one is free for anybody with its key.
create table connected_wallets (
  address_key text constraint connected_wallets_pkey primary key constraint connected_wallets_lower check (address_key = lower(address_key)),
  user_id uuid not null
);

-- Nonces of issued ownership messages: each is valid once, for its user, address and chain. A few per user.
create table wallet_nonces (
  user_id uuid not null constraint wallet_nonces_user references users,
  nonce text not null,
  wallet_address text not null,
  chain_id bigint not null,
  issued_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  constraint wallet_nonces_pkey primary key (user_id, nonce)
);
