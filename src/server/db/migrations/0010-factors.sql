-- Second factors of a sign-in, and proofs of who asks for an action that moves money or changes how to sign in.

-- Public keys: the private ones never leave the user's devices. A credential is looked up together with its user, so that nobody can claim
-- another user's by registering its id.
create table passkeys (
  user_id uuid not null constraint passkeys_user references users,
  id uuid not null,
  -- Base64url, as browsers name it.
  credential_id text not null,
  -- In COSE format.
  public_key bytea not null,
  -- Signatures so far, as the device counts them; 0 where it does not.
  counter bigint not null constraint passkeys_counter check (counter >= 0),
  transports text[] not null,
  name text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  constraint passkeys_pkey primary key (user_id, id),
  constraint passkeys_credential unique (user_id, credential_id)
);

-- The app that shows six digits, one for each user.
create table authenticators (
  user_id uuid not null constraint authenticators_user references users constraint authenticators_pkey primary key,
  -- AES-256-GCM, as account numbers are.
  secret_sealed text not null,
  -- The period of the last accepted code: each counts once.
  last_step bigint not null default 0,
  started_at timestamptz not null default now(),
  -- Null until a first code has shown that the app has the secret.
  confirmed_at timestamptz
);

create table recovery_codes (
  user_id uuid not null constraint recovery_codes_user references users,
  -- A keyed hash: a stolen table cannot be searched without the installation's secret.
  code_hash bytea not null,
  created_at timestamptz not null default now(),
  used_at timestamptz,
  constraint recovery_codes_pkey primary key (user_id, code_hash)
);

-- Challenges that a passkey has answered. They are signed and expire by themselves; this table only makes each count once.
create table spent_challenges (
  user_id uuid not null constraint spent_challenges_user references users,
  challenge_hash bytea not null,
  spent_at timestamptz not null default now(),
  constraint spent_challenges_pkey primary key (user_id, challenge_hash)
);

-- Unused proofs: one is deleted in the transaction of the action that uses it.
create table proofs (
  user_id uuid not null constraint proofs_user references users,
  id uuid not null,
  session_id uuid not null,
  -- A keyed hash of the request that it was made for.
  digest bytea not null,
  made_at timestamptz not null default now(),
  constraint proofs_pkey primary key (user_id, id),
  constraint proofs_session foreign key (user_id, session_id) references sessions (user_id, id) on delete cascade
);
create index proofs_of_session on proofs (user_id, session_id);
