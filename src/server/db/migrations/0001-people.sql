-- Amounts are bigint units at scale 8 everywhere. Money tables never cascade-delete.
-- Every table of users can be distributed by user: its keys, unique indexes and foreign keys begin with user_id. Values that must be unique
-- among all users (a name, an email, a wallet) are in a directory, a small table keyed by the value.

create table book (
  only_row boolean constraint book_pkey primary key default true constraint book_only_row check (only_row),
  kind text not null constraint book_kind check (kind in ('paper', 'live')),
  born_at timestamptz not null default now()
);

create table users (
  id uuid constraint users_pkey primary key constraint users_not_the_house check (id <> '00000000-0000-0000-0000-000000000000'),
  username text not null,
  -- argon2id, never plain.
  password text not null,
  email text,
  first_name text not null,
  last_name text not null,
  profile_image_url text,
  stripe_customer_id text,
  stripe_subscription_id text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- Directories. Names are unique in NFKC and lower case.
create table usernames (
  username_key text constraint usernames_pkey primary key,
  user_id uuid not null
);
create table emails (
  email_key text constraint emails_pkey primary key,
  user_id uuid not null
);

create table sessions (
  user_id uuid not null constraint sessions_user references users,
  -- SHA-256 of the secret in the cookie: a stolen table signs nobody in.
  sid_hash bytea not null,
  -- Shown to the user: an id that signs nobody in.
  id uuid not null,
  user_agent text not null,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  expires_at timestamptz not null,
  constraint sessions_pkey primary key (user_id, sid_hash),
  constraint sessions_id_unique unique (user_id, id)
);
create index sessions_expires_at on sessions (expires_at);

-- Counts attempts in fixed windows, shared by all processes and kept across restarts.
create table throttles (
  key text constraint throttles_pkey primary key,
  window_start timestamptz not null,
  attempts integer not null
);

create table idempotency_keys (
  user_id uuid not null constraint idempotency_keys_user references users,
  key text not null,
  action text not null,
  body_hash text not null,
  response jsonb not null,
  created_at timestamptz not null default now(),
  constraint idempotency_keys_pkey primary key (user_id, key)
);
