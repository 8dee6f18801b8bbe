-- The people who operate the product: each has credentials of their own, and roles that limit what they may do.

create table operators (
  id uuid constraint operators_pkey primary key,
  -- Never changed and never given to another person: the audit trail names it.
  name text not null,
  -- The name without its case.
  name_key text not null constraint operators_name unique,
  -- argon2id.
  password text not null,
  -- The secret of the authenticator app, by AES-256-GCM.
  secret_sealed text not null,
  -- The period of the last accepted code: each counts once.
  last_step bigint not null,
  roles text[] not null constraint operators_roles check (roles <@ array['admin', 'support', 'payouts', 'auditor'] and cardinality(roles) > 0),
  created_at timestamptz not null default now(),
  disabled_at timestamptz,
  -- Threat: whoever adds operators could be two of them, and approve a payout twice.
  constraint operators_apart check (not roles @> array['admin', 'payouts'])
);

create table operator_sessions (
  -- A hash of the token: a stolen table signs nobody in.
  token_hash bytea constraint operator_sessions_pkey primary key,
  operator_id uuid not null constraint operator_sessions_operator references operators,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index operator_sessions_of_operator on operator_sessions (operator_id);

-- An operator may freeze a user, who then can sign in and see everything, but change nothing.
alter table users
  add column frozen_at timestamptz,
  -- The operator's reason, for operators alone.
  add column frozen_reason text,
  add constraint users_frozen check ((frozen_at is null) = (frozen_reason is null));
