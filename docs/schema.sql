-- The database as its migrations leave it, written by `npm run schema`. src/server/db/migrations explains each column.
-- Money is bigint units at scale 8. A table with user_id belongs to its users: it is keyed, and ready to be distributed, by them.

CREATE OR REPLACE FUNCTION book_refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ begin
  if tg_op = 'UPDATE' and old.seal is null
     and (new.id, new.kind, new.born_at) = (old.id, old.kind, old.born_at) then return new; end if;
  raise exception 'a book never changes: % refused', lower(tg_op)
    using errcode = 'integrity_constraint_violation', constraint = 'book_fixed';
end $function$;

CREATE OR REPLACE FUNCTION book_refuse_sandbox()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ begin
  if exists (select from book where kind = 'live') then
    raise exception 'a live book has no sandbox: % of % refused', lower(tg_op), tg_table_name
      using errcode = 'integrity_constraint_violation', constraint = 'book_without_sandbox';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION ledger_apply_entries()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare unbalanced record;
begin
  select transfer_id, asset into unbalanced from added
   group by user_id, transfer_id, asset having sum(amount) <> 0 limit 1;
  if found then
    raise exception 'entries of transfer % do not sum to zero in %',
      unbalanced.transfer_id, unbalanced.asset
      using errcode = 'integrity_constraint_violation', constraint = 'ledger_entries_balanced';
  end if;
  if exists (select from (select user_id, transfer_id, count(*) as written from added
                           group by user_id, transfer_id) a
              where (select count(*) from ledger_entries e where e.user_id = a.user_id
                       and e.transfer_id = a.transfer_id) <> a.written) then
    raise exception 'a transfer is written once'
      using errcode = 'integrity_constraint_violation', constraint = 'ledger_entries_once';
  end if;
  perform from ledger_accounts where (user_id, id) in (select user_id, account_id from added)
    order by user_id desc, id desc for no key update;
  update ledger_accounts a set balance = a.balance + s.amount
    from (select user_id, account_id, sum(amount)::bigint as amount from added
           group by user_id, account_id) s where a.user_id = s.user_id and a.id = s.account_id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION ledger_refuse_balance_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ begin
  if pg_trigger_depth() < 2 then
    raise exception 'balances follow entries'
      using errcode = 'integrity_constraint_violation', constraint = 'ledger_balance_follows';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION ledger_refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ begin
  raise exception '% is append-only: % refused', tg_table_name, lower(tg_op)
    using errcode = 'integrity_constraint_violation', constraint = 'ledger_append_only';
end $function$;

CREATE OR REPLACE FUNCTION ledger_require_entries()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ begin
  if not exists (select from ledger_entries where user_id = new.user_id and transfer_id = new.id)
  then
    raise exception 'transfer % has no entries', new.id using
      errcode = 'integrity_constraint_violation', constraint = 'ledger_transfers_have_entries';
  end if;
  return null;
end $function$;

create table users (
  id uuid not null,
  username text not null,
  password text not null,
  email text,
  first_name text not null,
  last_name text not null,
  profile_image_url text,
  stripe_customer_id text,
  stripe_subscription_id text,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  language text not null default 'en'::text,
  email_verified_at timestamp with time zone,
  pending_email text,
  closed_at timestamp with time zone,
  frozen_at timestamp with time zone,
  frozen_reason text,
  constraint users_pkey PRIMARY KEY (id),
  constraint users_frozen CHECK ((frozen_at IS NULL) = (frozen_reason IS NULL)),
  constraint users_language CHECK (language = ANY (ARRAY['en'::text, 'de'::text])),
  constraint users_not_the_house CHECK (id <> '00000000-0000-0000-0000-000000000000'::uuid)
);

create table usernames (
  username_key text not null,
  user_id uuid not null,
  constraint usernames_pkey PRIMARY KEY (username_key)
);

create table emails (
  email_key text not null,
  user_id uuid not null,
  released_at timestamp with time zone,
  constraint emails_pkey PRIMARY KEY (email_key)
);

create table verified_emails (
  user_id uuid not null,
  email text not null,
  verified_at timestamp with time zone not null default clock_timestamp(),
  released_at timestamp with time zone,
  constraint verified_emails_pkey PRIMARY KEY (user_id, email),
  constraint verified_emails_user FOREIGN KEY (user_id) REFERENCES users(id)
);

create table account_seals (
  user_id uuid not null,
  number bigint not null,
  seal text not null,
  sealed_at timestamp with time zone not null default now(),
  constraint account_seals_pkey PRIMARY KEY (user_id, number),
  constraint account_seals_number CHECK (number > 0),
  constraint account_seals_user FOREIGN KEY (user_id) REFERENCES users(id)
);

create table sessions (
  user_id uuid not null,
  sid_hash bytea not null,
  id uuid not null,
  user_agent text not null,
  created_at timestamp with time zone not null default now(),
  last_seen_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null,
  constraint sessions_pkey PRIMARY KEY (user_id, sid_hash),
  constraint sessions_id_unique UNIQUE (user_id, id),
  constraint sessions_user FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX sessions_expires_at ON sessions USING btree (expires_at);

create table program_keys (
  user_id uuid not null,
  id uuid not null,
  key_hash bytea not null,
  name text not null,
  scope text not null,
  networks text[] not null,
  most_bots integer,
  daily_amount bigint,
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null,
  last_used_at timestamp with time zone,
  constraint program_keys_pkey PRIMARY KEY (user_id, id),
  constraint program_keys_limits CHECK (num_nulls(most_bots, daily_amount) =
CASE scope
    WHEN 'bots'::text THEN 0
    ELSE 2
END),
  constraint program_keys_scope CHECK (scope = ANY (ARRAY['read'::text, 'bots'::text])),
  constraint program_keys_user FOREIGN KEY (user_id) REFERENCES users(id)
);

create table passkeys (
  user_id uuid not null,
  id uuid not null,
  credential_id text not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamp with time zone not null default now(),
  last_used_at timestamp with time zone,
  constraint passkeys_pkey PRIMARY KEY (user_id, id),
  constraint passkeys_credential UNIQUE (user_id, credential_id),
  constraint passkeys_counter CHECK (counter >= 0),
  constraint passkeys_user FOREIGN KEY (user_id) REFERENCES users(id)
);

create table authenticators (
  user_id uuid not null,
  secret_sealed text not null,
  last_step bigint not null default 0,
  started_at timestamp with time zone not null default now(),
  confirmed_at timestamp with time zone,
  constraint authenticators_pkey PRIMARY KEY (user_id),
  constraint authenticators_user FOREIGN KEY (user_id) REFERENCES users(id)
);

create table recovery_codes (
  user_id uuid not null,
  code_hash bytea not null,
  created_at timestamp with time zone not null default now(),
  used_at timestamp with time zone,
  replaced_at timestamp with time zone,
  constraint recovery_codes_pkey PRIMARY KEY (user_id, code_hash),
  constraint recovery_codes_user FOREIGN KEY (user_id) REFERENCES users(id)
);

create table spent_challenges (
  user_id uuid not null,
  challenge_hash bytea not null,
  spent_at timestamp with time zone not null default now(),
  constraint spent_challenges_pkey PRIMARY KEY (user_id, challenge_hash),
  constraint spent_challenges_user FOREIGN KEY (user_id) REFERENCES users(id)
);

create table proofs (
  user_id uuid not null,
  id uuid not null,
  session_id uuid not null,
  digest bytea not null,
  made_at timestamp with time zone not null default now(),
  constraint proofs_pkey PRIMARY KEY (user_id, id),
  constraint proofs_session FOREIGN KEY (user_id, session_id) REFERENCES sessions(user_id, id) ON DELETE CASCADE,
  constraint proofs_user FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX proofs_of_session ON proofs USING btree (user_id, session_id);

create table throttles (
  key text not null,
  window_start timestamp with time zone not null,
  attempts integer not null,
  constraint throttles_pkey PRIMARY KEY (key)
);

create table idempotency_keys (
  user_id uuid not null,
  key text not null,
  action text not null,
  body_hash text not null,
  response jsonb not null,
  created_at timestamp with time zone not null default now(),
  constraint idempotency_keys_pkey PRIMARY KEY (user_id, key),
  constraint idempotency_keys_user FOREIGN KEY (user_id) REFERENCES users(id)
);

create table crypto_wallets (
  user_id uuid not null,
  id uuid not null,
  wallet_address text not null,
  wallet_type text not null,
  chain_id bigint not null,
  chain_name text not null,
  is_connected boolean not null default true,
  last_balance numeric(68,8) not null default 0,
  last_balance_check timestamp with time zone,
  connected_at timestamp with time zone not null,
  disconnected_at timestamp with time zone,
  constraint crypto_wallets_pkey PRIMARY KEY (user_id, id),
  constraint crypto_wallets_address CHECK (wallet_address ~ '^0x[0-9a-fA-F]{40}$'::text),
  constraint crypto_wallets_balance CHECK (last_balance >= 0::numeric),
  constraint crypto_wallets_chain CHECK (chain_id > 0),
  constraint crypto_wallets_disconnected CHECK (is_connected = (disconnected_at IS NULL)),
  constraint crypto_wallets_user FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE UNIQUE INDEX crypto_wallets_one_row ON crypto_wallets USING btree (user_id, lower(wallet_address));

create table connected_wallets (
  address_key text not null,
  user_id uuid not null,
  constraint connected_wallets_pkey PRIMARY KEY (address_key),
  constraint connected_wallets_lower CHECK (address_key = lower(address_key))
);

create table wallet_nonces (
  user_id uuid not null,
  nonce text not null,
  wallet_address text,
  chain_id bigint,
  issued_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint wallet_nonces_pkey PRIMARY KEY (user_id, nonce),
  constraint wallet_nonces_user FOREIGN KEY (user_id) REFERENCES users(id)
);

create table operators (
  id uuid not null,
  name text not null,
  name_key text not null,
  password text not null,
  secret_sealed text not null,
  last_step bigint not null,
  roles text[] not null,
  created_at timestamp with time zone not null default now(),
  disabled_at timestamp with time zone,
  constraint operators_pkey PRIMARY KEY (id),
  constraint operators_name UNIQUE (name_key),
  constraint operators_apart CHECK (NOT roles @> ARRAY['admin'::text, 'payouts'::text]),
  constraint operators_roles CHECK (roles <@ ARRAY['admin'::text, 'support'::text, 'payouts'::text, 'auditor'::text] AND cardinality(roles) > 0)
);

create table operator_sessions (
  token_hash bytea not null,
  operator_id uuid not null,
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null,
  constraint operator_sessions_pkey PRIMARY KEY (token_hash),
  constraint operator_sessions_operator FOREIGN KEY (operator_id) REFERENCES operators(id)
);
CREATE INDEX operator_sessions_of_operator ON operator_sessions USING btree (operator_id);

create table book (
  only_row boolean not null default true,
  kind text not null,
  born_at timestamp with time zone not null default now(),
  id uuid not null default gen_random_uuid(),
  seal text,
  constraint book_pkey PRIMARY KEY (only_row),
  constraint book_kind CHECK (kind = ANY (ARRAY['paper'::text, 'live'::text])),
  constraint book_only_row CHECK (only_row)
);
CREATE TRIGGER book_fixed BEFORE DELETE OR UPDATE ON book FOR EACH ROW EXECUTE FUNCTION book_refuse_change();
CREATE TRIGGER book_kept BEFORE TRUNCATE ON book FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();

create table ledger_accounts (
  user_id uuid not null,
  id bigint not null generated always as identity,
  code text not null,
  asset text not null,
  pool smallint,
  balance bigint not null default 0,
  may_be_negative boolean not null,
  constraint ledger_accounts_pkey PRIMARY KEY (user_id, id),
  constraint ledger_accounts_id_asset UNIQUE (user_id, id, asset),
  constraint ledger_accounts_unique UNIQUE NULLS NOT DISTINCT (user_id, code, asset, pool),
  constraint ledger_accounts_code CHECK (
CASE
    WHEN code = ANY (ARRAY['customer:cash'::text, 'customer:hold'::text, 'customer:receivable'::text]) THEN user_id <> '00000000-0000-0000-0000-000000000000'::uuid
    WHEN code = ANY (ARRAY['venue'::text, 'pool'::text, 'interest'::text]) THEN user_id = '00000000-0000-0000-0000-000000000000'::uuid
    ELSE code = ANY (ARRAY['bots'::text, 'card:clearing'::text, 'payout:clearing'::text, 'bank'::text, 'fees:income'::text, 'rounding'::text])
END),
  constraint ledger_accounts_dollars CHECK (asset = 'USD'::text OR user_id = '00000000-0000-0000-0000-000000000000'::uuid),
  constraint ledger_accounts_no_overdraft CHECK (may_be_negative OR balance >= 0),
  constraint ledger_accounts_pool_code CHECK ((pool IS NOT NULL) = (code = 'pool'::text)),
  constraint ledger_accounts_receivable_owed CHECK (code <> 'customer:receivable'::text OR balance <= 0)
) with (fillfactor=80);
CREATE INDEX ledger_accounts_debtors ON ledger_accounts USING btree (user_id) WHERE ((code = 'customer:receivable'::text) AND (balance < 0));
CREATE TRIGGER ledger_accounts_balance_follows AFTER UPDATE OF balance ON ledger_accounts FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_balance_change();
CREATE TRIGGER ledger_accounts_kept BEFORE DELETE OR TRUNCATE ON ledger_accounts FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();

create table ledger_transfers (
  user_id uuid not null,
  id uuid not null,
  kind text not null,
  dedup_key text collate "C" not null,
  body_hash text not null,
  event_time timestamp with time zone not null,
  recorded_at timestamp with time zone not null default clock_timestamp(),
  seal text,
  written_in bigint not null default ((pg_current_xact_id())::text)::bigint,
  constraint ledger_transfers_pkey PRIMARY KEY (user_id, id),
  constraint ledger_transfers_dedup UNIQUE (user_id, dedup_key)
);
CREATE INDEX ledger_transfers_written ON ledger_transfers USING brin (written_in) WITH (autosummarize='on');
CREATE TRIGGER ledger_transfers_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON ledger_transfers FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();
CREATE CONSTRAINT TRIGGER ledger_transfers_have_entries AFTER INSERT ON ledger_transfers DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ledger_require_entries();

create table ledger_entries (
  user_id uuid not null,
  transfer_id uuid not null,
  account_id bigint not null,
  asset text not null,
  amount bigint not null,
  constraint ledger_entries_pkey PRIMARY KEY (user_id, transfer_id, account_id),
  constraint ledger_entries_not_zero CHECK (amount <> 0),
  constraint ledger_entries_account FOREIGN KEY (user_id, account_id, asset) REFERENCES ledger_accounts(user_id, id, asset),
  constraint ledger_entries_transfer FOREIGN KEY (user_id, transfer_id) REFERENCES ledger_transfers(user_id, id)
);
CREATE INDEX ledger_entries_account ON ledger_entries USING btree (user_id, account_id);
CREATE TRIGGER ledger_entries_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON ledger_entries FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();
CREATE TRIGGER ledger_entries_applied AFTER INSERT ON ledger_entries REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION ledger_apply_entries();

create table audit_events (
  id uuid not null,
  actor text not null,
  action text not null,
  subject text not null,
  details jsonb not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  seal text,
  written_in bigint not null default ((pg_current_xact_id())::text)::bigint,
  constraint audit_events_pkey PRIMARY KEY (id)
);
CREATE INDEX audit_events_actor ON audit_events USING btree (actor, id);
CREATE INDEX audit_events_subject ON audit_events USING btree (subject, created_at);
CREATE INDEX audit_events_written ON audit_events USING brin (written_in) WITH (autosummarize='on');
CREATE TRIGGER audit_events_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON audit_events FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();

create table book_seals (
  number bigint not null,
  previous text not null,
  until_transaction bigint not null,
  transfers bigint not null,
  events uuid[] not null,
  sealed_at timestamp with time zone not null,
  seal text not null,
  constraint book_seals_pkey PRIMARY KEY (number),
  constraint book_seals_until UNIQUE (until_transaction),
  constraint book_seals_number CHECK (number > 0)
);
CREATE TRIGGER book_seals_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON book_seals FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();

create table broken_seal (
  only_row boolean not null default true,
  found_at timestamp with time zone not null default now(),
  sentence text not null,
  constraint broken_seal_pkey PRIMARY KEY (only_row),
  constraint broken_seal_only_row CHECK (only_row)
);

create table payment_intents (
  user_id uuid not null,
  id text not null,
  provider text not null,
  amount bigint not null,
  status text not null default 'open'::text,
  received bigint,
  created_at timestamp with time zone not null default now(),
  credited_at timestamp with time zone,
  refunded bigint not null default 0,
  disputed bigint not null default 0,
  revision integer not null default 0,
  asked_at timestamp with time zone,
  constraint payment_intents_pkey PRIMARY KEY (user_id, id),
  constraint payment_intents_amount CHECK (amount > 0),
  constraint payment_intents_credited CHECK ((status = 'succeeded'::text) = (received IS NOT NULL AND credited_at IS NOT NULL)),
  constraint payment_intents_disputed CHECK (disputed >= 0),
  constraint payment_intents_refunded CHECK (refunded >= 0),
  constraint payment_intents_status CHECK (status = ANY (ARRAY['open'::text, 'succeeded'::text, 'abandoned'::text])),
  constraint payment_intents_taken_back CHECK (status = 'succeeded'::text OR refunded = 0 AND disputed = 0),
  constraint payment_intents_user FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX payment_intents_id ON payment_intents USING btree (id);
CREATE INDEX payment_intents_open ON payment_intents USING btree (asked_at NULLS FIRST, created_at) WHERE (status = 'open'::text);
CREATE TRIGGER payment_intents_fixed BEFORE UPDATE ON payment_intents FOR EACH ROW WHEN ((old.provider IS DISTINCT FROM new.provider OR old.created_at IS DISTINCT FROM new.created_at) AND old.status <> 'open'::text OR old.credited_at IS NOT NULL AND (old.received IS DISTINCT FROM new.received OR old.credited_at IS DISTINCT FROM new.credited_at)) EXECUTE FUNCTION ledger_refuse_change();
CREATE TRIGGER payment_intents_without_sandbox BEFORE INSERT OR UPDATE OF provider ON payment_intents FOR EACH ROW WHEN (new.provider = 'sandbox'::text) EXECUTE FUNCTION book_refuse_sandbox();

create table sandbox_payments (
  id text not null,
  client_secret text not null,
  customer_id uuid not null,
  amount bigint not null,
  status text not null,
  created_at timestamp with time zone not null default now(),
  refunded bigint not null default 0,
  disputed bigint not null default 0,
  constraint sandbox_payments_pkey PRIMARY KEY (id),
  constraint sandbox_payments_secret UNIQUE (client_secret),
  constraint sandbox_payments_status CHECK (status = ANY (ARRAY['requires_payment_method'::text, 'requires_action'::text, 'succeeded'::text]))
);
CREATE TRIGGER sandbox_payments_without_sandbox BEFORE INSERT OR UPDATE ON sandbox_payments FOR EACH ROW EXECUTE FUNCTION book_refuse_sandbox();

create table provider_events_seen (
  provider text not null,
  seen_until timestamp with time zone not null,
  constraint provider_events_seen_pkey PRIMARY KEY (provider)
);

create table bank_accounts (
  user_id uuid not null,
  id uuid not null,
  bank_name text not null,
  account_number_sealed text not null,
  account_number_last4 text not null,
  routing_number text not null,
  account_type text not null,
  is_default boolean not null default false,
  created_at timestamp with time zone not null default now(),
  removed_at timestamp with time zone,
  allowed_from timestamp with time zone not null default now(),
  constraint bank_accounts_pkey PRIMARY KEY (user_id, id),
  constraint bank_accounts_last4 CHECK (account_number_last4 ~ '^[0-9]{4}$'::text),
  constraint bank_accounts_removed_not_default CHECK (removed_at IS NULL OR NOT is_default),
  constraint bank_accounts_type CHECK (account_type = ANY (ARRAY['checking'::text, 'savings'::text])),
  constraint bank_accounts_user FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE UNIQUE INDEX bank_accounts_one_default ON bank_accounts USING btree (user_id) WHERE is_default;

create table bank_account_defaults (
  user_id uuid not null,
  bank_account_id uuid not null,
  since timestamp with time zone not null default clock_timestamp(),
  constraint bank_account_defaults_pkey PRIMARY KEY (user_id, since),
  constraint bank_account_defaults_account FOREIGN KEY (user_id, bank_account_id) REFERENCES bank_accounts(user_id, id)
);

create table withdrawal_requests (
  user_id uuid not null,
  id uuid not null,
  bank_account_id uuid not null,
  amount bigint not null,
  state text not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  processed_at timestamp with time zone,
  payout_provider text,
  provider_reference text,
  asked_at timestamp with time zone,
  waits_for text,
  send_after timestamp with time zone,
  review_reasons text[] not null default '{}'::text[],
  constraint withdrawal_requests_pkey PRIMARY KEY (user_id, id),
  constraint withdrawal_requests_amount CHECK (amount > 0),
  constraint withdrawal_requests_payout_provider CHECK (payout_provider IS NOT NULL OR (state <> ALL (ARRAY['submitted'::text, 'paid'::text, 'failed'::text, 'returned'::text]))),
  constraint withdrawal_requests_review CHECK (review_reasons <@ ARRAY['amount'::text, 'count'::text, 'young-deposits'::text]),
  constraint withdrawal_requests_state CHECK (state = ANY (ARRAY['pending'::text, 'in_review'::text, 'approved'::text, 'submitted'::text, 'paid'::text, 'failed'::text, 'returned'::text, 'canceled'::text, 'rejected'::text])),
  constraint withdrawal_requests_bank_account FOREIGN KEY (user_id, bank_account_id) REFERENCES bank_accounts(user_id, id),
  constraint withdrawal_requests_user FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX withdrawal_requests_arrived ON withdrawal_requests USING btree (asked_at NULLS FIRST) WHERE ((state = 'paid'::text) AND (provider_reference IS NOT NULL));
CREATE INDEX withdrawal_requests_id ON withdrawal_requests USING btree (id);
CREATE INDEX withdrawal_requests_open ON withdrawal_requests USING btree (state, updated_at) WHERE (state = ANY (ARRAY['pending'::text, 'in_review'::text, 'approved'::text, 'submitted'::text]));
CREATE INDEX withdrawal_requests_recent ON withdrawal_requests USING btree (user_id, created_at);
CREATE TRIGGER withdrawal_requests_fixed BEFORE UPDATE ON withdrawal_requests FOR EACH ROW WHEN (old.amount IS DISTINCT FROM new.amount OR old.bank_account_id IS DISTINCT FROM new.bank_account_id OR old.created_at IS DISTINCT FROM new.created_at) EXECUTE FUNCTION ledger_refuse_change();
CREATE TRIGGER withdrawal_requests_without_sandbox BEFORE INSERT OR UPDATE OF payout_provider ON withdrawal_requests FOR EACH ROW WHEN (new.payout_provider = 'sandbox'::text) EXECUTE FUNCTION book_refuse_sandbox();

create table withdrawal_holds (
  user_id uuid not null,
  id uuid not null,
  reason text not null,
  until timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  lifted_at timestamp with time zone,
  constraint withdrawal_holds_pkey PRIMARY KEY (user_id, id),
  constraint withdrawal_holds_reason CHECK (reason = ANY (ARRAY['password-reset'::text, 'password-changed'::text, 'email-verified'::text, 'factor-changed'::text, 'bank-account-added'::text, 'bank-account-default'::text, 'disowned'::text])),
  constraint withdrawal_holds_user FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX withdrawal_holds_lasting ON withdrawal_holds USING btree (user_id) WHERE (lifted_at IS NULL);

create table withdrawal_protections (
  user_id uuid not null,
  delay_hours integer not null,
  daily_limit bigint,
  allowed_only boolean not null,
  next_delay_hours integer,
  next_daily_limit bigint,
  next_allowed_only boolean,
  next_from timestamp with time zone,
  constraint withdrawal_protections_pkey PRIMARY KEY (user_id),
  constraint withdrawal_protections_delay CHECK (delay_hours >= 0 AND delay_hours <= 48),
  constraint withdrawal_protections_limit CHECK (daily_limit > 0),
  constraint withdrawal_protections_next CHECK ((next_from IS NULL) = (next_delay_hours IS NULL) AND (next_from IS NULL) = (next_allowed_only IS NULL)),
  constraint withdrawal_protections_next_delay CHECK (next_delay_hours >= 0 AND next_delay_hours <= 48),
  constraint withdrawal_protections_next_limit CHECK (next_daily_limit > 0),
  constraint withdrawal_protections_user FOREIGN KEY (user_id) REFERENCES users(id)
);

create table withdrawal_protection_changes (
  user_id uuid not null,
  changed_at timestamp with time zone not null default clock_timestamp(),
  delay_hours integer not null,
  daily_limit bigint,
  allowed_only boolean not null,
  constraint withdrawal_protection_changes_pkey PRIMARY KEY (user_id, changed_at),
  constraint withdrawal_protection_changes_user FOREIGN KEY (user_id) REFERENCES users(id)
);

create table payout_references (
  provider_reference text not null,
  user_id uuid not null,
  withdrawal_id uuid not null,
  constraint payout_references_pkey PRIMARY KEY (provider_reference)
);

create table withdrawal_approvals (
  user_id uuid not null,
  withdrawal_id uuid not null,
  operator text not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  constraint withdrawal_approvals_pkey PRIMARY KEY (user_id, withdrawal_id, operator),
  constraint withdrawal_approvals_withdrawal FOREIGN KEY (user_id, withdrawal_id) REFERENCES withdrawal_requests(user_id, id)
);
CREATE TRIGGER withdrawal_approvals_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON withdrawal_approvals FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();

create table payout_batches (
  number integer not null generated always as identity,
  operator text not null,
  payouts integer not null,
  total bigint not null,
  created_at timestamp with time zone not null,
  constraint payout_batches_pkey PRIMARY KEY (number),
  constraint payout_batches_payouts CHECK (payouts > 0),
  constraint payout_batches_total CHECK (total > 0)
);
CREATE TRIGGER payout_batches_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON payout_batches FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();

create table payout_batch_lines (
  user_id uuid not null,
  withdrawal_id uuid not null,
  batch integer not null,
  position integer not null,
  bank_account_id uuid not null,
  name text not null,
  amount bigint not null,
  constraint payout_batch_lines_pkey PRIMARY KEY (user_id, withdrawal_id),
  constraint payout_batch_lines_bank_account FOREIGN KEY (user_id, bank_account_id) REFERENCES bank_accounts(user_id, id),
  constraint payout_batch_lines_batch FOREIGN KEY (batch) REFERENCES payout_batches(number),
  constraint payout_batch_lines_withdrawal FOREIGN KEY (user_id, withdrawal_id) REFERENCES withdrawal_requests(user_id, id)
);
CREATE INDEX payout_batch_lines_position ON payout_batch_lines USING btree (batch, "position");
CREATE TRIGGER payout_batch_lines_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON payout_batch_lines FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();

create table transactions (
  user_id uuid not null,
  id uuid not null,
  type text not null,
  amount bigint not null,
  currency text not null default 'USD'::text,
  status text not null default 'pending'::text,
  description jsonb not null,
  metadata jsonb not null default '{}'::jsonb,
  payment_intent_id text,
  withdrawal_id uuid,
  bot_id uuid,
  transfer_id uuid not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  constraint transactions_pkey PRIMARY KEY (user_id, id),
  constraint transactions_status CHECK (status = ANY (ARRAY['pending'::text, 'processing'::text, 'completed'::text, 'failed'::text])),
  constraint transactions_type CHECK (type = ANY (ARRAY['deposit'::text, 'withdrawal'::text, 'transfer'::text, 'refund'::text, 'dispute'::text])),
  constraint transactions_intent FOREIGN KEY (user_id, payment_intent_id) REFERENCES payment_intents(user_id, id),
  constraint transactions_transfer FOREIGN KEY (user_id, transfer_id) REFERENCES ledger_transfers(user_id, id),
  constraint transactions_user FOREIGN KEY (user_id) REFERENCES users(id),
  constraint transactions_withdrawal FOREIGN KEY (user_id, withdrawal_id) REFERENCES withdrawal_requests(user_id, id)
);
CREATE UNIQUE INDEX transactions_one_deposit_per_intent ON transactions USING btree (user_id, payment_intent_id) WHERE (type = 'deposit'::text);
CREATE UNIQUE INDEX transactions_one_per_withdrawal ON transactions USING btree (user_id, withdrawal_id) WHERE (type = 'withdrawal'::text);

create table market_clock (
  only_row boolean not null default true,
  feed text not null,
  market_time timestamp with time zone not null,
  settled_time timestamp with time zone not null,
  leader_epoch bigint not null default 0,
  halted_at timestamp with time zone,
  halt_reason text,
  updated_at timestamp with time zone not null default clock_timestamp(),
  start_time timestamp with time zone not null,
  constraint market_clock_pkey PRIMARY KEY (only_row),
  constraint market_clock_only_row CHECK (only_row)
);
CREATE TRIGGER market_clock_feed_fixed BEFORE UPDATE ON market_clock FOR EACH ROW WHEN (old.feed <> new.feed) EXECUTE FUNCTION ledger_refuse_change();
CREATE TRIGGER market_clock_kept BEFORE DELETE OR TRUNCATE ON market_clock FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();

create table market_tickers (
  pair text not null,
  price bigint not null,
  price_24h bigint not null,
  market_time timestamp with time zone not null,
  settlement jsonb,
  waiting_since timestamp with time zone,
  waiting text,
  constraint market_tickers_pkey PRIMARY KEY (pair),
  constraint market_tickers_price CHECK (price > 0),
  constraint market_tickers_waiting CHECK (waiting = ANY (ARRAY['closed'::text, 'unfilled'::text, 'no-price'::text, 'unknown'::text]))
);

create table strategy_exposures (
  pair text not null,
  strategy text not null,
  exposure_bps integer not null,
  reason jsonb not null,
  outlook jsonb,
  market_time timestamp with time zone not null,
  constraint strategy_exposures_pkey PRIMARY KEY (pair, strategy),
  constraint strategy_exposures_range CHECK (exposure_bps >= 0 AND exposure_bps <= 10000)
);

create table market_candles (
  id bigint not null generated always as identity,
  pair text not null,
  open_time timestamp with time zone not null,
  source text not null,
  open bigint not null,
  high bigint not null,
  low bigint not null,
  close bigint not null,
  constraint market_candles_pkey PRIMARY KEY (pair, open_time),
  constraint market_candles_id UNIQUE (id),
  constraint market_candles_range CHECK (low > 0 AND low <= LEAST(open, close) AND high >= GREATEST(open, close)),
  constraint market_candles_whole_hour CHECK ((EXTRACT(epoch FROM open_time)::bigint % 3600::bigint) = 0)
);

create table exchange_nonce (
  only_row boolean not null default true,
  last bigint not null,
  constraint exchange_nonce_pkey PRIMARY KEY (only_row),
  constraint exchange_nonce_only_row CHECK (only_row)
);

create table pools (
  id smallint not null,
  strategy text not null,
  pair text not null,
  cash bigint not null default 0,
  base bigint not null default 0,
  units numeric(38,0) not null default 0,
  applied_bps integer not null default 0,
  changes bigint not null default 0,
  constraint pools_pkey PRIMARY KEY (id),
  constraint pools_unique UNIQUE (pair, strategy),
  constraint pools_applied CHECK (applied_bps >= 0 AND applied_bps <= 10000),
  constraint pools_base CHECK (base >= 0),
  constraint pools_cash CHECK (cash >= 0),
  constraint pools_nothing_without_units CHECK (units > 0::numeric OR cash = 0 AND base = 0 AND applied_bps = 0),
  constraint pools_strategy CHECK (strategy = ANY (ARRAY['trend-conservative'::text, 'trend-moderate'::text, 'trend-aggressive'::text, 'hold'::text, 'balanced-conservative'::text, 'balanced-moderate'::text, 'balanced-aggressive'::text])),
  constraint pools_units CHECK (units >= 0::numeric AND units < '100000000000000000000000000000000000000'::numeric)
) with (fillfactor=20);

create table engine_blocks (
  id uuid not null,
  pair text not null,
  side text not null,
  state text not null default 'planned'::text,
  price bigint not null,
  order_quantity bigint not null,
  parties jsonb not null,
  filled_by text not null default 'venue'::text,
  market_time timestamp with time zone not null,
  planned_at timestamp with time zone not null default clock_timestamp(),
  fill_quantity bigint,
  fill_price bigint,
  fill_notional bigint,
  fill_fee bigint,
  settled_at timestamp with time zone,
  constraint engine_blocks_pkey PRIMARY KEY (id),
  constraint engine_blocks_filled CHECK ((state = 'settled'::text) = (fill_quantity IS NOT NULL AND fill_price IS NOT NULL AND fill_notional IS NOT NULL AND fill_fee IS NOT NULL AND settled_at IS NOT NULL)),
  constraint engine_blocks_filled_by CHECK (filled_by = ANY (ARRAY['venue'::text, 'house'::text, 'operator'::text])),
  constraint engine_blocks_order_quantity CHECK (order_quantity > 0),
  constraint engine_blocks_side CHECK (side = ANY (ARRAY['buy'::text, 'sell'::text])),
  constraint engine_blocks_state CHECK (state = ANY (ARRAY['planned'::text, 'settled'::text]))
);
CREATE INDEX engine_blocks_unsettled ON engine_blocks USING btree (id) WHERE (state <> 'settled'::text);

create table venue_orders (
  id uuid not null,
  block_id uuid not null,
  quantity bigint not null,
  limit_price bigint not null,
  state text not null default 'sent'::text,
  sent_at timestamp with time zone not null,
  executed bigint not null default 0,
  notional bigint not null default 0,
  fee bigint not null default 0,
  house_fees jsonb not null default '{}'::jsonb,
  is_full boolean not null default false,
  reason text,
  constraint venue_orders_pkey PRIMARY KEY (id),
  constraint venue_orders_once UNIQUE (block_id),
  constraint venue_orders_executed CHECK (executed >= 0 AND executed <= quantity),
  constraint venue_orders_limit CHECK (limit_price > 0),
  constraint venue_orders_quantity CHECK (quantity > 0),
  constraint venue_orders_state CHECK (state = ANY (ARRAY['sent'::text, 'done'::text, 'dead'::text])),
  constraint venue_orders_block FOREIGN KEY (block_id) REFERENCES engine_blocks(id)
);

create table pool_changes (
  pool smallint not null,
  number bigint not null,
  id uuid not null,
  kind text not null,
  block_id uuid,
  side text,
  quantity bigint not null default 0,
  price bigint not null default 0,
  total bigint not null default 0,
  fee bigint not null default 0,
  weight numeric(38,0) not null,
  members integer not null default 0,
  cash_after bigint not null,
  base_after bigint not null,
  units_after numeric(38,0) not null,
  reason jsonb not null,
  market_time timestamp with time zone not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  constraint pool_changes_pkey PRIMARY KEY (pool, number),
  constraint pool_changes_id UNIQUE (id),
  constraint pool_changes_kind CHECK (kind = ANY (ARRAY['trade'::text, 'join'::text, 'leave'::text, 'pause'::text, 'own'::text, 'yield'::text])),
  constraint pool_changes_number CHECK (number > 0),
  constraint pool_changes_order CHECK ((block_id IS NULL) = (side IS NULL) AND (block_id IS NOT NULL OR quantity = 0 AND fee = 0 AND (total = 0 OR kind = 'yield'::text AND total > 0))),
  constraint pool_changes_quantity CHECK (quantity >= 0),
  constraint pool_changes_side CHECK (side = ANY (ARRAY['buy'::text, 'sell'::text])),
  constraint pool_changes_weight CHECK (weight > 0::numeric AND weight < '100000000000000000000000000000000000000'::numeric),
  constraint pool_changes_block FOREIGN KEY (block_id) REFERENCES engine_blocks(id),
  constraint pool_changes_pool FOREIGN KEY (pool) REFERENCES pools(id)
);
CREATE INDEX pool_changes_trades ON pool_changes USING btree (pool, id) WHERE (kind = 'trade'::text);
CREATE TRIGGER pool_changes_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON pool_changes FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();

create table cash_yields (
  midnight timestamp with time zone not null,
  rate_bps integer not null,
  source text not null,
  amount bigint not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  constraint cash_yields_pkey PRIMARY KEY (midnight),
  constraint cash_yields_amount CHECK (amount >= 0),
  constraint cash_yields_midnight CHECK ((EXTRACT(epoch FROM midnight) % 86400::numeric) = 0::numeric),
  constraint cash_yields_rate CHECK (rate_bps >= 1 AND rate_bps <= 2000)
);
CREATE TRIGGER cash_yields_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cash_yields FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();

create table trading_bots (
  user_id uuid not null,
  id uuid not null,
  name text not null,
  risk_level text not null,
  strategy text not null,
  fee_bps integer not null default 1500,
  trading_pairs text[] not null,
  invested bigint not null,
  status text not null default 'active'::text,
  pending bigint not null default 0,
  taking_bps integer,
  engine_status text,
  engine_taking_bps integer,
  taking_invested bigint,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  closed_at timestamp with time zone,
  market_start timestamp with time zone not null,
  changing smallint,
  engine_changing smallint,
  is_synced boolean not null generated always as (((NOT (engine_status IS DISTINCT FROM status)) AND (NOT (engine_taking_bps IS DISTINCT FROM taking_bps)) AND (NOT (engine_changing IS DISTINCT FROM changing)) AND (pending = 0))) stored,
  first_trade_reported boolean not null default false,
  is_taken_by_plan boolean not null default false,
  constraint trading_bots_pkey PRIMARY KEY (user_id, id),
  constraint trading_bots_changing CHECK (changing > 0),
  constraint trading_bots_fee CHECK (fee_bps >= 0 AND fee_bps <= 1500),
  constraint trading_bots_invested CHECK (invested >= 0),
  constraint trading_bots_one_move CHECK (changing IS NULL OR taking_bps IS NULL AND status = 'active'::text),
  constraint trading_bots_pending CHECK (pending >= 0),
  constraint trading_bots_pending_open CHECK (pending = 0 OR status <> 'closed'::text),
  constraint trading_bots_risk_level CHECK (risk_level = ANY (ARRAY['conservative'::text, 'moderate'::text, 'aggressive'::text])),
  constraint trading_bots_status CHECK (status = ANY (ARRAY['active'::text, 'paused'::text, 'stopped'::text, 'closing'::text, 'closed'::text])),
  constraint trading_bots_strategy CHECK (strategy = ('trend-'::text || risk_level) OR strategy = ('balanced-'::text || risk_level) OR strategy = 'hold'::text AND risk_level = 'aggressive'::text),
  constraint trading_bots_taken_by_plan CHECK (NOT is_taken_by_plan OR taking_bps IS NOT NULL),
  constraint trading_bots_taking CHECK (taking_bps >= 1 AND taking_bps <= 9999),
  constraint trading_bots_user FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX trading_bots_changes ON trading_bots USING btree (id) WHERE (engine_changing IS NOT NULL);
CREATE INDEX trading_bots_first_trade ON trading_bots USING btree (id) WHERE (NOT first_trade_reported);
CREATE INDEX trading_bots_returning ON trading_bots USING btree (id) WHERE ((engine_status = 'closing'::text) OR (engine_taking_bps IS NOT NULL));
CREATE INDEX trading_bots_unsynced ON trading_bots USING btree (id) WHERE (NOT is_synced);
CREATE TRIGGER trading_bots_kept BEFORE DELETE OR TRUNCATE ON trading_bots FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();

create table sleeves (
  user_id uuid not null,
  bot_id uuid not null,
  pool smallint not null,
  status text not null default 'new'::text,
  cash bigint not null,
  base bigint not null default 0,
  units numeric(38,0) not null default 0,
  leaving numeric(38,0) not null default 0,
  taken bigint not null default 0,
  behind_bps integer,
  joined bigint not null default 0,
  offered bigint not null default 0,
  paid bigint not null default 0,
  paid_base bigint not null default 0,
  constraint sleeves_pkey PRIMARY KEY (user_id, bot_id, pool),
  constraint sleeves_base CHECK (base >= 0),
  constraint sleeves_behind CHECK (behind_bps >= 0 AND behind_bps <= 10000),
  constraint sleeves_cash CHECK (cash >= 0),
  constraint sleeves_leaving CHECK (leaving >= 0::numeric AND leaving <= units),
  constraint sleeves_leaving_status CHECK (leaving = 0::numeric OR status = 'leaving'::text),
  constraint sleeves_status CHECK (status = ANY (ARRAY['new'::text, 'joining'::text, 'in'::text, 'leaving'::text, 'pausing'::text, 'paused'::text, 'resuming'::text, 'out'::text])),
  constraint sleeves_staying CHECK (units > 0::numeric OR status <> 'pausing'::text),
  constraint sleeves_taken CHECK (taken >= 0),
  constraint sleeves_units CHECK (units >= 0::numeric AND units < '100000000000000000000000000000000000000'::numeric),
  constraint sleeves_bot FOREIGN KEY (user_id, bot_id) REFERENCES trading_bots(user_id, id),
  constraint sleeves_pool FOREIGN KEY (pool) REFERENCES pools(id)
) with (fillfactor=70);
CREATE INDEX sleeves_behind ON sleeves USING btree (pool) WHERE (behind_bps IS NOT NULL);
CREATE INDEX sleeves_moving ON sleeves USING btree (pool, status) WHERE (status = ANY (ARRAY['joining'::text, 'leaving'::text, 'pausing'::text, 'resuming'::text]));
CREATE TRIGGER sleeves_kept BEFORE DELETE OR TRUNCATE ON sleeves FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();

create table sleeve_stays (
  user_id uuid not null,
  bot_id uuid not null,
  pool smallint not null,
  joined bigint not null,
  left_with bigint not null,
  units numeric(38,0) not null,
  offered bigint not null,
  redeemed numeric(38,0) not null,
  paid bigint not null,
  paid_base bigint not null,
  cash_out bigint not null,
  base_out bigint not null,
  constraint sleeve_stays_pkey PRIMARY KEY (user_id, bot_id, pool, joined),
  constraint sleeve_stays_length CHECK (joined < left_with AND units > 0::numeric OR joined = left_with AND units = 0::numeric)
);
CREATE TRIGGER sleeve_stays_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON sleeve_stays FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();

create table platform_fees (
  user_id uuid not null,
  bot_id uuid not null,
  id uuid not null,
  user_profit bigint not null,
  fee_amount bigint not null,
  fee_bps integer not null default 1500,
  trade uuid,
  created_at timestamp with time zone not null default now(),
  constraint platform_fees_pkey PRIMARY KEY (user_id, bot_id, id),
  constraint platform_fees_amount CHECK (fee_amount >= 0),
  constraint platform_fees_profit CHECK (user_profit > 0),
  constraint platform_fees_bot FOREIGN KEY (user_id, bot_id) REFERENCES trading_bots(user_id, id),
  constraint platform_fees_trade FOREIGN KEY (trade) REFERENCES pool_changes(id)
);
CREATE TRIGGER platform_fees_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON platform_fees FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();

create table bot_guards (
  user_id uuid not null,
  bot_id uuid not null,
  stop_loss_bps integer,
  stop_loss_from text not null,
  take_profit_bps integer,
  daily_loss_bps integer,
  cool_down_days integer,
  start bigint not null,
  best bigint not null,
  day_start bigint not null,
  day integer not null,
  revision bigint not null default 0,
  constraint bot_guards_pkey PRIMARY KEY (user_id, bot_id),
  constraint bot_guards_any CHECK (num_nonnulls(stop_loss_bps, take_profit_bps, daily_loss_bps) > 0),
  constraint bot_guards_best CHECK (best >= 0),
  constraint bot_guards_cool_down CHECK (cool_down_days >= 1 AND cool_down_days <= 365),
  constraint bot_guards_daily_loss CHECK (daily_loss_bps >= 100 AND daily_loss_bps <= 5000),
  constraint bot_guards_day_start CHECK (day_start >= 0),
  constraint bot_guards_start CHECK (start >= 0),
  constraint bot_guards_stop_loss CHECK (stop_loss_bps >= 100 AND stop_loss_bps <= 9000),
  constraint bot_guards_stop_loss_from CHECK (stop_loss_from = ANY (ARRAY['invested'::text, 'best'::text])),
  constraint bot_guards_take_profit CHECK (take_profit_bps >= 100 AND take_profit_bps <= 100000),
  constraint bot_guards_bot FOREIGN KEY (user_id, bot_id) REFERENCES trading_bots(user_id, id)
) with (fillfactor=70);

create table bot_stops (
  user_id uuid not null,
  bot_id uuid not null,
  at timestamp with time zone not null,
  guard text not null,
  change_bps integer not null,
  back_at timestamp with time zone,
  ended_at timestamp with time zone,
  constraint bot_stops_pkey PRIMARY KEY (user_id, bot_id, at),
  constraint bot_stops_guard CHECK (guard = ANY (ARRAY['stop-loss'::text, 'trailing-stop'::text, 'take-profit'::text, 'daily-loss'::text])),
  constraint bot_stops_order CHECK (back_at > at AND ended_at >= at),
  constraint bot_stops_bot FOREIGN KEY (user_id, bot_id) REFERENCES trading_bots(user_id, id)
);
CREATE INDEX bot_stops_back ON bot_stops USING btree (back_at) WHERE ((ended_at IS NULL) AND (back_at IS NOT NULL));
CREATE UNIQUE INDEX bot_stops_open ON bot_stops USING btree (user_id, bot_id) WHERE (ended_at IS NULL);

create table program_key_bots (
  user_id uuid not null,
  key_id uuid not null,
  bot_id uuid not null,
  amount bigint not null,
  created_at timestamp with time zone not null default now(),
  constraint program_key_bots_pkey PRIMARY KEY (user_id, bot_id),
  constraint program_key_bots_bot FOREIGN KEY (user_id, bot_id) REFERENCES trading_bots(user_id, id),
  constraint program_key_bots_key FOREIGN KEY (user_id, key_id) REFERENCES program_keys(user_id, id) ON DELETE CASCADE
);
CREATE INDEX program_key_bots_of_key ON program_key_bots USING btree (user_id, key_id);

create table bot_plans (
  user_id uuid not null,
  bot_id uuid not null,
  id uuid not null,
  amount bigint not null,
  every text not null,
  line bigint,
  start_at timestamp with time zone not null,
  period integer not null,
  due_at timestamp with time zone not null,
  is_short boolean not null default false,
  created_at timestamp with time zone not null default now(),
  constraint bot_plans_pkey PRIMARY KEY (user_id, bot_id),
  constraint bot_plans_amount CHECK (amount > 0),
  constraint bot_plans_every CHECK (every = ANY (ARRAY['week'::text, 'month'::text])),
  constraint bot_plans_line CHECK (line > 0),
  constraint bot_plans_period CHECK (period >= 0),
  constraint bot_plans_bot FOREIGN KEY (user_id, bot_id) REFERENCES trading_bots(user_id, id)
);
CREATE INDEX bot_plans_due ON bot_plans USING btree (due_at);

create table bot_plan_runs (
  user_id uuid not null,
  bot_id uuid not null,
  plan_id uuid not null,
  period integer not null,
  outcome text not null,
  amount bigint not null,
  taking_bps integer,
  transfer_id uuid,
  market_time timestamp with time zone not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  constraint bot_plan_runs_pkey PRIMARY KEY (user_id, bot_id, plan_id, period),
  constraint bot_plan_runs_added CHECK ((outcome = 'added'::text) = (transfer_id IS NOT NULL)),
  constraint bot_plan_runs_outcome CHECK (outcome = ANY (ARRAY['added'::text, 'taken'::text, 'short'::text])),
  constraint bot_plan_runs_taken CHECK ((outcome = 'taken'::text) = (taking_bps IS NOT NULL)),
  constraint bot_plan_runs_bot FOREIGN KEY (user_id, bot_id) REFERENCES trading_bots(user_id, id),
  constraint bot_plan_runs_transfer FOREIGN KEY (user_id, transfer_id) REFERENCES ledger_transfers(user_id, id)
);
CREATE TRIGGER bot_plan_runs_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON bot_plan_runs FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();

create table notices (
  user_id uuid not null,
  id uuid not null,
  kind text not null,
  event_key text not null,
  details jsonb not null,
  in_inbox boolean not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  read_at timestamp with time zone,
  constraint notices_pkey PRIMARY KEY (user_id, id),
  constraint notices_event UNIQUE (user_id, event_key),
  constraint notices_user FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX notices_unread ON notices USING btree (user_id) WHERE ((read_at IS NULL) AND in_inbox);

create table push_subscriptions (
  user_id uuid not null,
  id uuid not null,
  endpoint text not null,
  p256dh text not null,
  auth text not null,
  user_agent text not null,
  created_at timestamp with time zone not null default now(),
  ended_at timestamp with time zone,
  constraint push_subscriptions_pkey PRIMARY KEY (user_id, id),
  constraint push_subscriptions_endpoint UNIQUE (user_id, endpoint),
  constraint push_subscriptions_user FOREIGN KEY (user_id) REFERENCES users(id)
);

create table deliveries (
  user_id uuid not null,
  id uuid not null default gen_random_uuid(),
  channel text not null,
  notice_id uuid,
  kind text not null,
  details jsonb not null,
  address text,
  subscription_id uuid,
  is_urgent boolean not null,
  state text not null default 'waiting'::text,
  attempts integer not null default 0,
  due_at timestamp with time zone not null default now(),
  created_at timestamp with time zone not null default now(),
  sent_at timestamp with time zone,
  link_used_at timestamp with time zone,
  webhook_id uuid,
  answer smallint,
  constraint deliveries_pkey PRIMARY KEY (user_id, id),
  constraint deliveries_channel CHECK (channel = ANY (ARRAY['mail'::text, 'push'::text, 'webhook'::text])),
  constraint deliveries_push CHECK ((channel = 'push'::text) = (subscription_id IS NOT NULL)),
  constraint deliveries_sent CHECK ((state = 'sent'::text) = (sent_at IS NOT NULL)),
  constraint deliveries_state CHECK (state = ANY (ARRAY['waiting'::text, 'sent'::text, 'given-up'::text])),
  constraint deliveries_webhook CHECK ((channel = 'webhook'::text) = (webhook_id IS NOT NULL)),
  constraint deliveries_notice FOREIGN KEY (user_id, notice_id) REFERENCES notices(user_id, id),
  constraint deliveries_user FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX deliveries_due ON deliveries USING btree (channel, is_urgent DESC, due_at) WHERE (state = 'waiting'::text);
CREATE INDEX deliveries_mail ON deliveries USING btree (user_id, created_at) WHERE (channel = 'mail'::text);
CREATE UNIQUE INDEX deliveries_webhooks ON deliveries USING btree (user_id, webhook_id, notice_id) WHERE (channel = 'webhook'::text);

create table notice_preferences (
  user_id uuid not null,
  topic text not null,
  channel text not null,
  is_on boolean not null,
  constraint notice_preferences_pkey PRIMARY KEY (user_id, topic, channel),
  constraint notice_preferences_channel CHECK (channel = ANY (ARRAY['inbox'::text, 'mail'::text, 'push'::text])),
  constraint notice_preferences_user FOREIGN KEY (user_id) REFERENCES users(id)
);

create table notice_settings (
  user_id uuid not null,
  push_amounts boolean not null default false,
  loss_limit bigint,
  loss_reported boolean not null default false,
  constraint notice_settings_pkey PRIMARY KEY (user_id),
  constraint notice_settings_loss_limit CHECK (loss_limit > 0),
  constraint notice_settings_user FOREIGN KEY (user_id) REFERENCES users(id)
);

create table digest_totals (
  user_id uuid not null,
  week text not null,
  deposited bigint not null,
  withdrawn bigint not null,
  fees bigint not null,
  result bigint not null,
  constraint digest_totals_pkey PRIMARY KEY (user_id),
  constraint digest_totals_user FOREIGN KEY (user_id) REFERENCES users(id)
);

create table reset_requests (
  id uuid not null,
  asked text not null,
  created_at timestamp with time zone not null default now(),
  constraint reset_requests_pkey PRIMARY KEY (id)
);

create table webhooks (
  user_id uuid not null,
  id uuid not null,
  address text not null,
  topics text[] not null,
  secret_sealed text not null,
  earlier_sealed text,
  earlier_until timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  failing_since timestamp with time zone,
  disabled_at timestamp with time zone,
  constraint webhooks_pkey PRIMARY KEY (user_id, id),
  constraint webhooks_user FOREIGN KEY (user_id) REFERENCES users(id)
);

create table range_days (
  number integer not null,
  text text not null,
  constraint range_days_pkey PRIMARY KEY (number)
);
CREATE TRIGGER range_days_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON range_days FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();

alter table ledger_accounts add constraint ledger_accounts_pool FOREIGN KEY (pool) REFERENCES pools(id);

create view ledger_control as
 SELECT code,
    asset,
    sum(balance)::bigint AS balance
   FROM ledger_accounts
  GROUP BY code, asset;

create view wallets as
 SELECT user_id,
    currency,
    (sum(amount) / 100000000::numeric)::numeric(16,8) AS balance
   FROM ( SELECT s.user_id,
            split_part(p.pair, '/'::text, 1) AS currency,
            s.base::numeric +
                CASE
                    WHEN s.units > 0::numeric THEN div(s.units * p.base::numeric, p.units)
                    ELSE 0::numeric
                END AS amount
           FROM sleeves s
             JOIN pools p ON p.id = s.pool
        UNION ALL
         SELECT s.user_id,
            'USD'::text,
            (s.cash + s.taken)::numeric +
                CASE
                    WHEN s.units > 0::numeric THEN div(s.units * p.cash::numeric, p.units)
                    ELSE 0::numeric
                END
           FROM sleeves s
             JOIN pools p ON p.id = s.pool
        UNION ALL
         SELECT trading_bots.user_id,
            'USD'::text,
            trading_bots.pending
           FROM trading_bots
          WHERE trading_bots.pending > 0) holdings
  GROUP BY user_id, currency
 HAVING sum(amount) > 0::numeric;
