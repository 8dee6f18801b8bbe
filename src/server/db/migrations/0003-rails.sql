create table payment_intents (
  user_id uuid not null constraint payment_intents_user references users,
  -- The provider's id.
  id text not null,
  provider text not null,
  -- The amount requested; the amount paid comes from the provider only.
  amount bigint not null constraint payment_intents_amount check (amount > 0),
  -- abandoned: canceled at the provider, so that it can never be paid.
  status text not null default 'open' constraint payment_intents_status check (status in ('open', 'succeeded', 'abandoned')),
  received bigint,
  created_at timestamptz not null default now(),
  credited_at timestamptz,
  -- Taken back by the provider, as booked: the total of refunds, and the amount that disputes hold now.
  refunded bigint not null default 0 constraint payment_intents_refunded check (refunded >= 0),
  disputed bigint not null default 0 constraint payment_intents_disputed check (disputed >= 0),
  -- Rises with every settlement, so that an older state of the provider is never booked after a newer one.
  revision integer not null default 0,
  -- Last poll by the sweep, so that every open payment gets its turn.
  asked_at timestamptz,
  constraint payment_intents_pkey primary key (user_id, id),
  constraint payment_intents_credited check ((status = 'succeeded') = (received is not null and credited_at is not null)),
  constraint payment_intents_taken_back check (status = 'succeeded' or (refunded = 0 and disputed = 0))
);
-- Webhooks carry only the payment's id.
create index payment_intents_id on payment_intents (id);
create index payment_intents_open on payment_intents (asked_at nulls first, created_at) where status = 'open';

-- Records of the card sandbox, like a card provider's own. Card numbers are never stored.
create table sandbox_payments (
  id text constraint sandbox_payments_pkey primary key,
  client_secret text not null constraint sandbox_payments_secret unique,
  customer_id uuid not null,
  amount bigint not null,
  status text not null constraint sandbox_payments_status check (status in ('requires_payment_method', 'requires_action', 'succeeded')),
  created_at timestamptz not null default now(),
  refunded bigint not null default 0,
  disputed bigint not null default 0
);

-- How far each provider's list of events was read, to find events whose webhook never arrived.
create table provider_events_seen (
  provider text constraint provider_events_seen_pkey primary key,
  seen_until timestamptz not null
);

create table bank_accounts (
  user_id uuid not null constraint bank_accounts_user references users,
  id uuid not null,
  bank_name text not null,
  -- AES-256-GCM with the user id as associated data: key id, nonce, tag and cipher text.
  account_number_sealed text not null,
  account_number_last4 text not null constraint bank_accounts_last4 check (account_number_last4 ~ '^[0-9]{4}$'),
  routing_number text not null,
  account_type text not null constraint bank_accounts_type check (account_type in ('checking', 'savings')),
  is_default boolean not null default false,
  created_at timestamptz not null default now(),
  removed_at timestamptz,
  constraint bank_accounts_pkey primary key (user_id, id),
  constraint bank_accounts_removed_not_default check (removed_at is null or not is_default)
);
create unique index bank_accounts_one_default on bank_accounts (user_id) where is_default;

create table withdrawal_requests (
  user_id uuid not null constraint withdrawal_requests_user references users,
  id uuid not null,
  bank_account_id uuid not null,
  amount bigint not null constraint withdrawal_requests_amount check (amount > 0),
  state text not null constraint withdrawal_requests_state check (state in
    ('pending', 'in_review', 'approved', 'submitted', 'paid', 'failed', 'returned', 'canceled', 'rejected')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  processed_at timestamptz,
  -- Set at submission and kept, whatever the setting PAYOUTS says later.
  payout_provider text,
  -- The provider's reference for the payout once it is known, and when its outcome was last polled.
  provider_reference text,
  asked_at timestamptz,
  constraint withdrawal_requests_payout_provider check (payout_provider is not null or state not in ('submitted', 'paid', 'failed', 'returned')),
  constraint withdrawal_requests_pkey primary key (user_id, id),
  constraint withdrawal_requests_bank_account foreign key (user_id, bank_account_id) references bank_accounts (user_id, id)
);
-- Operators give only the withdrawal's id.
create index withdrawal_requests_id on withdrawal_requests (id);
create index withdrawal_requests_open on withdrawal_requests (state, updated_at)
  where state in ('pending', 'in_review', 'approved', 'submitted');
create index withdrawal_requests_arrived on withdrawal_requests (asked_at nulls first) where state = 'paid' and provider_reference is not null;

-- A directory: a provider's reference belongs to one withdrawal.
create table payout_references (
  provider_reference text constraint payout_references_pkey primary key,
  user_id uuid not null,
  withdrawal_id uuid not null
);

-- Approvals of withdrawals: above a configured amount two different operators must approve.
create table withdrawal_approvals (
  user_id uuid not null,
  withdrawal_id uuid not null,
  operator text not null,
  created_at timestamptz not null default clock_timestamp(),
  constraint withdrawal_approvals_pkey primary key (user_id, withdrawal_id, operator),
  constraint withdrawal_approvals_withdrawal foreign key (user_id, withdrawal_id) references withdrawal_requests (user_id, id)
);

-- A file of payouts for the bank. The lines keep the file's content, so that a lost file can be written again, byte for byte.
create table payout_batches (
  number integer generated always as identity constraint payout_batches_pkey primary key,
  operator text not null,
  payouts integer not null constraint payout_batches_payouts check (payouts > 0),
  total bigint not null constraint payout_batches_total check (total > 0),
  created_at timestamptz not null
);
create table payout_batch_lines (
  user_id uuid not null,
  -- A payout is in at most one batch, for ever.
  withdrawal_id uuid not null,
  batch integer not null constraint payout_batch_lines_batch references payout_batches,
  -- In the order of the file, from 1.
  position integer not null,
  bank_account_id uuid not null,
  name text not null,
  amount bigint not null,
  constraint payout_batch_lines_pkey primary key (user_id, withdrawal_id),
  constraint payout_batch_lines_withdrawal foreign key (user_id, withdrawal_id) references withdrawal_requests (user_id, id),
  constraint payout_batch_lines_bank_account foreign key (user_id, bank_account_id) references bank_accounts (user_id, id)
);
create index payout_batch_lines_position on payout_batch_lines (batch, position);
create trigger withdrawal_approvals_append_only before update or delete or truncate on withdrawal_approvals
  for each statement execute function ledger_refuse_change();
create trigger payout_batches_append_only before update or delete or truncate on payout_batches
  for each statement execute function ledger_refuse_change();
create trigger payout_batch_lines_append_only before update or delete or truncate on payout_batch_lines
  for each statement execute function ledger_refuse_change();

-- The append-only audit trail of operators, the system and users.
create table audit_events (
  id uuid constraint audit_events_pkey primary key,
  actor text not null,
  action text not null,
  subject text not null,
  details jsonb not null,
  created_at timestamptz not null default clock_timestamp()
);
create index audit_events_subject on audit_events (subject, created_at);
create trigger audit_events_append_only before update or delete or truncate on audit_events
  for each statement execute function ledger_refuse_change();

-- The user's history, written together with its money movements. Trades are not stored but derived from pool_changes.
create table transactions (
  user_id uuid not null constraint transactions_user references users,
  id uuid not null,
  type text not null constraint transactions_type check (type in ('deposit', 'withdrawal', 'transfer', 'refund', 'dispute')),
  -- Signed change of the user's cash. A failed row counts as zero.
  amount bigint not null,
  currency text not null default 'USD',
  status text not null default 'pending' constraint transactions_status check (status in ('pending', 'processing', 'completed', 'failed')),
  description text not null,
  metadata jsonb not null default '{}',
  payment_intent_id text,
  withdrawal_id uuid,
  bot_id uuid,
  transfer_id uuid not null,
  created_at timestamptz not null default clock_timestamp(),
  constraint transactions_pkey primary key (user_id, id),
  constraint transactions_intent foreign key (user_id, payment_intent_id) references payment_intents (user_id, id),
  constraint transactions_withdrawal foreign key (user_id, withdrawal_id) references withdrawal_requests (user_id, id),
  constraint transactions_transfer foreign key (user_id, transfer_id) references ledger_transfers (user_id, id)
);
create unique index transactions_one_deposit_per_intent on transactions (user_id, payment_intent_id) where type = 'deposit';
create unique index transactions_one_per_withdrawal on transactions (user_id, withdrawal_id) where type = 'withdrawal';
