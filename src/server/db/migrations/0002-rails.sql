create table payment_intents (
  id text constraint payment_intents_pkey primary key,
  user_id uuid not null constraint payment_intents_user references users,
  provider text not null,
  -- What the user asked to pay; what was paid is the provider's word alone.
  amount bigint not null constraint payment_intents_amount check (amount > 0),
  status text not null default 'open' constraint payment_intents_status check (status in ('open', 'succeeded')),
  received bigint,
  created_at timestamptz not null default now(),
  credited_at timestamptz,
  constraint payment_intents_credited check ((status = 'succeeded') = (received is not null and credited_at is not null))
);
create index payment_intents_user_id on payment_intents (user_id);
create index payment_intents_open on payment_intents (created_at) where status = 'open';

-- The card sandbox's own book: what a card provider would know. Card numbers are never stored.
create table sandbox_payments (
  id text constraint sandbox_payments_pkey primary key,
  client_secret text not null constraint sandbox_payments_secret unique,
  user_id uuid not null,
  amount bigint not null,
  status text not null constraint sandbox_payments_status check (status in ('requires_payment_method', 'requires_action', 'succeeded')),
  created_at timestamptz not null default now()
);

create table bank_accounts (
  id uuid not null,
  user_id uuid not null constraint bank_accounts_user references users,
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
  id uuid not null constraint withdrawal_requests_id unique,
  user_id uuid not null constraint withdrawal_requests_user references users,
  bank_account_id uuid not null,
  amount bigint not null constraint withdrawal_requests_amount check (amount > 0),
  state text not null constraint withdrawal_requests_state check (state in
    ('pending', 'in_review', 'approved', 'submitted', 'paid', 'failed', 'returned', 'canceled', 'rejected')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  processed_at timestamptz,
  constraint withdrawal_requests_pkey primary key (user_id, id),
  constraint withdrawal_requests_bank_account foreign key (user_id, bank_account_id) references bank_accounts
);
create index withdrawal_requests_open on withdrawal_requests (state, updated_at)
  where state in ('pending', 'in_review', 'approved', 'submitted');

-- Who did what, never changed: operators, the system, users' own state changes of withdrawals.
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

-- The user's readable history, written with the money it tells of. Trades are read from bot_trades.
create table transactions (
  id uuid not null,
  user_id uuid not null constraint transactions_user references users,
  type text not null constraint transactions_type check (type in ('deposit', 'withdrawal', 'transfer', 'refund', 'dispute')),
  -- Signed: what the row did to the user's cash. A failed row counts for nothing.
  amount bigint not null,
  currency text not null default 'USD',
  status text not null default 'pending' constraint transactions_status check (status in ('pending', 'processing', 'completed', 'failed')),
  description text not null,
  metadata jsonb not null default '{}',
  payment_intent_id text constraint transactions_intent references payment_intents,
  withdrawal_id uuid constraint transactions_withdrawal references withdrawal_requests (id),
  bot_id uuid,
  transfer_id uuid not null constraint transactions_transfer references ledger_transfers,
  created_at timestamptz not null default clock_timestamp(),
  constraint transactions_pkey primary key (user_id, id)
);
create unique index transactions_one_deposit_per_intent on transactions (payment_intent_id) where type = 'deposit';
create unique index transactions_one_per_withdrawal on transactions (withdrawal_id) where type = 'withdrawal';
