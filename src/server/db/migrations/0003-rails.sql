-- The sandbox pretends to be a card provider and a bank: it never takes part in a live book.
create function book_refuse_sandbox() returns trigger language plpgsql as $$ begin
  if exists (select from book where kind = 'live') then
    raise exception 'a live book has no sandbox: % of % refused', lower(tg_op), tg_table_name
      using errcode = 'integrity_constraint_violation', constraint = 'book_without_sandbox';
  end if;
  return new;
end $$;

create table payment_intents (
  user_id uuid not null constraint payment_intents_user references users,
  id text not null, provider text not null, -- The provider's id, and who it is.
  -- The amount requested; the amount paid comes from the provider only.
  amount bigint not null constraint payment_intents_amount check (amount > 0),
  -- abandoned: canceled at the provider, so that it can never be paid.
  status text not null default 'open'
    constraint payment_intents_status check (status in ('open', 'succeeded', 'abandoned')),
  received bigint, created_at timestamptz not null default now(), credited_at timestamptz,
  -- Taken back by the provider, as booked: all refunds, and what disputes hold now.
  refunded bigint not null default 0 constraint payment_intents_refunded check (refunded >= 0),
  disputed bigint not null default 0 constraint payment_intents_disputed check (disputed >= 0),
  -- Rises with every settlement: an older state of the provider is never booked after a newer one.
  revision integer not null default 0,
  asked_at timestamptz, -- Last poll by the sweep, so that every open payment gets its turn.
  primary key (user_id, id),
  constraint payment_intents_credited
    check ((status = 'succeeded') = (received is not null and credited_at is not null)),
  constraint payment_intents_taken_back
    check (status = 'succeeded' or (refunded = 0 and disputed = 0))
);
create index payment_intents_id on payment_intents (id); -- Webhooks carry only the payment's id.
create index payment_intents_open on payment_intents (asked_at nulls first, created_at)
  where status = 'open';
-- The origin, the amount and the time of money are written once, here and in withdrawals.
create trigger payment_intents_fixed before update on payment_intents for each row
  when ((old.provider, old.created_at) is distinct from (new.provider, new.created_at)
        and old.status <> 'open' or old.credited_at is not null
        and (old.received, old.credited_at) is distinct from (new.received, new.credited_at))
  execute function ledger_refuse_change();
create trigger payment_intents_without_sandbox before insert or update of provider
  on payment_intents for each row when (new.provider = 'sandbox')
  execute function book_refuse_sandbox();

-- Records of the card sandbox, like a card provider's own. Card numbers are never stored.
create table sandbox_payments (
  id text primary key, client_secret text not null constraint sandbox_payments_secret unique,
  customer_id uuid not null, amount bigint not null,
  status text not null constraint sandbox_payments_status
    check (status in ('requires_payment_method', 'requires_action', 'succeeded')),
  created_at timestamptz not null default now(),
  refunded bigint not null default 0, disputed bigint not null default 0
);
create trigger sandbox_payments_without_sandbox before insert or update on sandbox_payments
  for each row execute function book_refuse_sandbox();

-- How far each provider's list of events was read, to find events whose webhook never arrived.
create table provider_events_seen (
  provider text primary key, seen_until timestamptz not null
);

create table bank_accounts (
  user_id uuid not null constraint bank_accounts_user references users, id uuid not null,
  bank_name text not null,
  -- AES-256-GCM with the user id as associated data: key id, nonce, tag and cipher text.
  account_number_sealed text not null,
  account_number_last4 text not null
    constraint bank_accounts_last4 check (account_number_last4 ~ '^[0-9]{4}$'),
  routing_number text not null, account_type text not null
    constraint bank_accounts_type check (account_type in ('checking', 'savings')),
  is_default boolean not null default false, created_at timestamptz not null default now(),
  removed_at timestamptz,
  allowed_from timestamptz not null default now(), -- For users who pay to allowed accounts only.
  primary key (user_id, id),
  constraint bank_accounts_removed_not_default check (removed_at is null or not is_default)
);
create unique index bank_accounts_one_default on bank_accounts (user_id) where is_default;

-- Which bank account was the default since when, so that a thief's choice can be undone.
create table bank_account_defaults (
  user_id uuid not null, bank_account_id uuid not null,
  since timestamptz not null default clock_timestamp(), primary key (user_id, since),
  constraint bank_account_defaults_account
    foreign key (user_id, bank_account_id) references bank_accounts
);

create table withdrawal_requests (
  user_id uuid not null constraint withdrawal_requests_user references users, id uuid not null,
  bank_account_id uuid not null,
  amount bigint not null constraint withdrawal_requests_amount check (amount > 0),
  state text not null constraint withdrawal_requests_state
    check (state in ('pending', 'in_review', 'approved', 'submitted', 'paid', 'failed', 'returned',
                     'canceled', 'rejected')),
  created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  processed_at timestamptz,
  payout_provider text, -- Set at submission and kept, whatever the setting PAYOUTS says later.
  -- The provider's reference for the payout once it is known, and when its outcome was last polled.
  provider_reference text, asked_at timestamptz,
  waits_for text, -- Why it is not paid yet: a sentence, or a wait of the payout provider.
  send_after timestamptz, -- By the delay that its user had chosen; null without one.
  -- Why an operator looks at it first: it was above a limit of the settings when it was requested.
  review_reasons text[] not null default '{}' constraint withdrawal_requests_review
    check (review_reasons <@ array['amount', 'count', 'young-deposits']),
  constraint withdrawal_requests_payout_provider check
    (payout_provider is not null or state not in ('submitted', 'paid', 'failed', 'returned')),
  primary key (user_id, id),
  constraint withdrawal_requests_bank_account
    foreign key (user_id, bank_account_id) references bank_accounts
);
create index withdrawal_requests_id on withdrawal_requests (id); -- All that operators give.
create index withdrawal_requests_open on withdrawal_requests (state, updated_at)
  where state in ('pending', 'in_review', 'approved', 'submitted');
create index withdrawal_requests_arrived on withdrawal_requests (asked_at nulls first)
  where state = 'paid' and provider_reference is not null;
create index withdrawal_requests_recent on withdrawal_requests (user_id, created_at);
create trigger withdrawal_requests_fixed before update on withdrawal_requests for each row
  when ((old.amount, old.bank_account_id, old.created_at)
        is distinct from (new.amount, new.bank_account_id, new.created_at))
  execute function ledger_refuse_change();
create trigger withdrawal_requests_without_sandbox before insert or update of payout_provider
  on withdrawal_requests for each row when (new.payout_provider = 'sandbox')
  execute function book_refuse_sandbox();

-- Withdrawals of the user wait while one of these lasts. `until` null: until it is lifted.
create table withdrawal_holds (
  user_id uuid not null constraint withdrawal_holds_user references users, id uuid not null,
  reason text not null constraint withdrawal_holds_reason
    check (reason in ('password-reset', 'password-changed', 'email-verified', 'factor-changed',
                      'bank-account-added', 'bank-account-default', 'disowned')),
  until timestamptz, created_at timestamptz not null default now(), lifted_at timestamptz,
  primary key (user_id, id)
);
create index withdrawal_holds_lasting on withdrawal_holds (user_id) where lifted_at is null;

-- Protections of withdrawals that the user chose. Looser ones apply from `next_from` on.
create table withdrawal_protections (
  user_id uuid primary key constraint withdrawal_protections_user references users,
  -- Hours between a request and its sending.
  delay_hours integer not null
    constraint withdrawal_protections_delay check (delay_hours between 0 and 48),
  -- Null: no limit.
  daily_limit bigint constraint withdrawal_protections_limit check (daily_limit > 0),
  allowed_only boolean not null, next_delay_hours integer
    constraint withdrawal_protections_next_delay check (next_delay_hours between 0 and 48),
  next_daily_limit bigint constraint withdrawal_protections_next_limit check (next_daily_limit > 0),
  next_allowed_only boolean, next_from timestamptz,
  constraint withdrawal_protections_next check ((next_from is null) = (next_delay_hours is null)
    and (next_from is null) = (next_allowed_only is null))
);

-- The protections before each change of them, for as long as "This was not me" gives them back.
create table withdrawal_protection_changes (
  user_id uuid not null constraint withdrawal_protection_changes_user references users,
  changed_at timestamptz not null default clock_timestamp(), delay_hours integer not null,
  daily_limit bigint, allowed_only boolean not null, primary key (user_id, changed_at)
);

-- A directory: a provider's reference belongs to one withdrawal.
create table payout_references (
  provider_reference text primary key, user_id uuid not null, withdrawal_id uuid not null
);

-- Approvals of withdrawals: above a configured amount two different operators must approve.
create table withdrawal_approvals (
  user_id uuid not null, withdrawal_id uuid not null, operator text not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (user_id, withdrawal_id, operator),
  constraint withdrawal_approvals_withdrawal
    foreign key (user_id, withdrawal_id) references withdrawal_requests
);

-- A file of payouts for the bank. From its lines a lost file is written again, byte for byte.
create table payout_batches (
  number integer generated always as identity primary key, operator text not null,
  payouts integer not null constraint payout_batches_payouts check (payouts > 0),
  total bigint not null constraint payout_batches_total check (total > 0),
  created_at timestamptz not null
);
create table payout_batch_lines (
  user_id uuid not null, withdrawal_id uuid not null, -- A payout is in at most one batch, for ever.
  batch integer not null constraint payout_batch_lines_batch references payout_batches,
  position integer not null, -- In the order of the file, from 1.
  bank_account_id uuid not null, name text not null, amount bigint not null,
  primary key (user_id, withdrawal_id),
  constraint payout_batch_lines_withdrawal
    foreign key (user_id, withdrawal_id) references withdrawal_requests,
  constraint payout_batch_lines_bank_account
    foreign key (user_id, bank_account_id) references bank_accounts
);
create index payout_batch_lines_position on payout_batch_lines (batch, position);

-- The user's history, written with its money movements. Trades are derived from pool_changes.
create table transactions (
  user_id uuid not null constraint transactions_user references users, id uuid not null,
  type text not null constraint transactions_type
    check (type in ('deposit', 'withdrawal', 'transfer', 'refund', 'dispute')),
  amount bigint not null, -- Signed change of the user's cash. A failed row counts as zero.
  currency text not null default 'USD',
  status text not null default 'pending' constraint transactions_status
    check (status in ('pending', 'processing', 'completed', 'failed')),
  description jsonb not null, -- Code and values of a sentence.
  metadata jsonb not null default '{}', payment_intent_id text, withdrawal_id uuid, bot_id uuid,
  transfer_id uuid not null, created_at timestamptz not null default clock_timestamp(),
  primary key (user_id, id), constraint transactions_intent
    foreign key (user_id, payment_intent_id) references payment_intents,
  constraint transactions_withdrawal
    foreign key (user_id, withdrawal_id) references withdrawal_requests,
  constraint transactions_transfer foreign key (user_id, transfer_id) references ledger_transfers
);
create unique index transactions_one_deposit_per_intent
  on transactions (user_id, payment_intent_id) where type = 'deposit';
create unique index transactions_one_per_withdrawal
  on transactions (user_id, withdrawal_id) where type = 'withdrawal';
