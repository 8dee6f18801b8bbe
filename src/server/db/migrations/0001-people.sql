-- Amounts are bigint units at scale 8 everywhere. Money tables never cascade-delete. Every table of
-- users can be distributed by user: its keys, unique indexes and foreign keys begin with user_id.
-- Values that must be unique among all users (a name, an email, a wallet) are in a directory, a
-- small table keyed by the value. docs/schema.sql lists all columns without explanations.

create table users (
  id uuid primary key
    constraint users_not_the_house check (id <> '00000000-0000-0000-0000-000000000000'),
  username text not null, password text not null, -- argon2id, never plain.
  email text, -- A verified address alone gets more mail than its verification.
  first_name text not null, last_name text not null, profile_image_url text,
  stripe_customer_id text, stripe_subscription_id text,
  created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  -- For what is sent while nobody is asking.
  language text not null default 'en' constraint users_language check (language in ('en', 'de')),
  email_verified_at timestamptz,
  pending_email text, -- Takes the place of the verified address as soon as it is verified too.
  closed_at timestamptz, -- The records of money stay, what identified the user is erased.
  -- A frozen user signs in and sees everything, but changes nothing. The reason is for operators.
  frozen_at timestamptz, frozen_reason text,
  constraint users_frozen check ((frozen_at is null) = (frozen_reason is null))
);

create table usernames (
  username_key text primary key, -- A directory of names in NFKC and lower case.
  user_id uuid not null
);

-- A directory of verified addresses: typing somebody else's takes it from nobody.
create table emails (
  email_key text primary key, user_id uuid not null,
  -- When its user gave it up: for 7 days it may be given back, and nobody else can verify it.
  released_at timestamptz
);

-- The addresses that "This was not me" may give back. A row goes 7 days after its address.
create table verified_emails (
  user_id uuid not null constraint verified_emails_user references users, email text not null,
  verified_at timestamptz not null default clock_timestamp(),
  released_at timestamptz, -- Since when another address is in its place; null for the present one.
  primary key (user_id, email)
);

-- Seals of what opens an account and protects its money. Threat: somebody writes rows into the
-- tables. Each change adds a seal, and the newest counts: an earlier state cannot be put back.
create table account_seals (
  user_id uuid not null constraint account_seals_user references users,
  number bigint not null constraint account_seals_number check (number > 0),
  seal text not null, sealed_at timestamptz not null default now(), primary key (user_id, number)
);

create table sessions (
  user_id uuid not null constraint sessions_user references users,
  sid_hash bytea not null, -- Keyed: whoever reads or writes this table signs nobody in.
  id uuid not null, -- Shown to the user: an id that signs nobody in.
  user_agent text not null, created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(), expires_at timestamptz not null,
  primary key (user_id, sid_hash), constraint sessions_id_unique unique (user_id, id)
);
create index sessions_expires_at on sessions (expires_at);

-- Keys with which programs act for their user.
create table program_keys (
  user_id uuid not null constraint program_keys_user references users, id uuid not null,
  key_hash bytea not null, -- Keyed, and covers all that the key may do: nobody can widen one here.
  name text not null, scope text not null constraint program_keys_scope
    check (scope in ('read', 'bots')),
  networks text[] not null, most_bots integer, daily_amount bigint,
  created_at timestamptz not null default now(), expires_at timestamptz not null,
  last_used_at timestamptz, primary key (user_id, id), constraint program_keys_limits
    check (num_nulls(most_bots, daily_amount) = case scope when 'bots' then 0 else 2 end)
);

-- Public keys: the private ones never leave the user's devices. A credential is looked up together
-- with its user, so that nobody can claim another user's by registering its id.
create table passkeys (
  user_id uuid not null constraint passkeys_user references users, id uuid not null,
  credential_id text not null, -- Base64url, as browsers name it.
  public_key bytea not null, -- In COSE format.
  -- Signatures so far, as the device counts them; 0 where it does not.
  counter bigint not null constraint passkeys_counter check (counter >= 0),
  transports text[] not null, name text not null, created_at timestamptz not null default now(),
  last_used_at timestamptz,
  primary key (user_id, id), constraint passkeys_credential unique (user_id, credential_id)
);

-- The app that shows six digits, one for each user.
create table authenticators (
  user_id uuid not null constraint authenticators_user references users primary key,
  secret_sealed text not null, -- AES-256-GCM, as account numbers are.
  last_step bigint not null default 0, -- The period of the last accepted code: each counts once.
  started_at timestamptz not null default now(),
  confirmed_at timestamptz -- Null until a first code has shown that the app has the secret.
);

create table recovery_codes (
  user_id uuid not null constraint recovery_codes_user references users,
  code_hash bytea not null, -- Keyed: a stolen table cannot be searched without the secret.
  created_at timestamptz not null default now(), used_at timestamptz,
  replaced_at timestamptz, -- Newer codes took its place; "This was not me" may give it back.
  primary key (user_id, code_hash)
);

-- Challenges that a passkey has answered, so that each counts once. They expire by themselves.
create table spent_challenges (
  user_id uuid not null constraint spent_challenges_user references users,
  challenge_hash bytea not null, spent_at timestamptz not null default now(),
  primary key (user_id, challenge_hash)
);

-- Unused proofs of who asks: one is deleted in the transaction of the action that uses it.
create table proofs (
  user_id uuid not null constraint proofs_user references users, id uuid not null,
  session_id uuid not null,
  digest bytea not null, -- A keyed hash of the request that it was made for.
  made_at timestamptz not null default now(), primary key (user_id, id),
  constraint proofs_session foreign key (user_id, session_id)
    references sessions (user_id, id) on delete cascade
);
create index proofs_of_session on proofs (user_id, session_id);

-- Counts attempts in fixed windows, shared by all processes and kept across restarts.
create table throttles (
  key text primary key, window_start timestamptz not null, attempts integer not null
);

create table idempotency_keys (
  user_id uuid not null constraint idempotency_keys_user references users, key text not null,
  action text not null, body_hash text not null, response jsonb not null,
  created_at timestamptz not null default now(), primary key (user_id, key)
);

-- Wallets with proven ownership of their key. Linking an address again revives its row.
create table crypto_wallets (
  user_id uuid not null constraint crypto_wallets_user references users, id uuid not null,
  -- With EIP-55's checksum: one spelling for each address.
  wallet_address text not null
    constraint crypto_wallets_address check (wallet_address ~ '^0x[0-9a-fA-F]{40}$'),
  wallet_type text not null,
  chain_id bigint not null constraint crypto_wallets_chain check (chain_id > 0),
  chain_name text not null, is_connected boolean not null default true,
  -- In the chain's own coin. 256 bits with 18 decimals: at most 60 digits before our 8 decimals.
  last_balance numeric(68, 8) not null default 0
    constraint crypto_wallets_balance check (last_balance >= 0),
  last_balance_check timestamptz, connected_at timestamptz not null, disconnected_at timestamptz,
  primary key (user_id, id),
  constraint crypto_wallets_disconnected check (is_connected = (disconnected_at is null))
);
create unique index crypto_wallets_one_row on crypto_wallets (user_id, lower(wallet_address));

-- A directory: a connected address has one owner; a disconnected one is free for its key's holder.
create table connected_wallets (
  address_key text primary key
    constraint connected_wallets_lower check (address_key = lower(address_key)),
  user_id uuid not null
);

-- Nonces of ownership messages: each is valid once, for its user, and for its address and chain
-- unless it was requested before the wallet was known.
create table wallet_nonces (
  user_id uuid not null constraint wallet_nonces_user references users, nonce text not null,
  wallet_address text, chain_id bigint, issued_at timestamptz not null,
  expires_at timestamptz not null, used_at timestamptz, primary key (user_id, nonce)
);

-- The people who operate the product, each with credentials and roles of their own.
create table operators (
  id uuid primary key,
  name text not null, -- Never changed and never given to another person: the audit trail names it.
  name_key text not null constraint operators_name unique, -- The name without its case.
  password text not null, -- argon2id.
  secret_sealed text not null, -- The secret of the authenticator app, by AES-256-GCM.
  last_step bigint not null, -- The period of the last accepted code: each counts once.
  roles text[] not null constraint operators_roles
    check (roles <@ array['admin', 'support', 'payouts', 'auditor'] and cardinality(roles) > 0),
  created_at timestamptz not null default now(), disabled_at timestamptz,
  -- Threat: whoever adds operators could be two of them, and approve a payout twice.
  constraint operators_apart check (not roles @> array['admin', 'payouts'])
);

create table operator_sessions (
  token_hash bytea primary key, -- Keyed, as those of users' sessions are.
  operator_id uuid not null constraint operator_sessions_operator references operators,
  created_at timestamptz not null default now(), expires_at timestamptz not null
);
create index operator_sessions_of_operator on operator_sessions (operator_id);
