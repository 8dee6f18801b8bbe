-- Who approved a withdrawal: above a configured amount two different operators must.
create table withdrawal_approvals (
  withdrawal_id uuid not null constraint withdrawal_approvals_withdrawal references withdrawal_requests (id),
  operator text not null,
  created_at timestamptz not null default clock_timestamp(),
  constraint withdrawal_approvals_pkey primary key (withdrawal_id, operator)
);

-- A file of payouts for the bank. Its lines keep what the file says, so that a lost one is written again to the byte.
create table payout_batches (
  number integer generated always as identity constraint payout_batches_pkey primary key,
  operator text not null,
  payouts integer not null constraint payout_batches_payouts check (payouts > 0),
  total bigint not null constraint payout_batches_total check (total > 0),
  created_at timestamptz not null
);
create table payout_batch_lines (
  -- A payout is in one batch, whatever happens.
  withdrawal_id uuid constraint payout_batch_lines_pkey primary key constraint payout_batch_lines_withdrawal references withdrawal_requests (id),
  batch integer not null constraint payout_batch_lines_batch references payout_batches,
  position integer not null,
  user_id uuid not null,
  bank_account_id uuid not null,
  name text not null,
  amount bigint not null,
  constraint payout_batch_lines_position unique (batch, position),
  constraint payout_batch_lines_bank_account foreign key (user_id, bank_account_id) references bank_accounts
);
create trigger withdrawal_approvals_append_only before update or delete or truncate on withdrawal_approvals
  for each statement execute function ledger_refuse_change();
create trigger payout_batches_append_only before update or delete or truncate on payout_batches
  for each statement execute function ledger_refuse_change();
create trigger payout_batch_lines_append_only before update or delete or truncate on payout_batch_lines
  for each statement execute function ledger_refuse_change();

-- The provider's name for a payout, once it is known, and when the provider was last asked about it.
alter table withdrawal_requests
  add column provider_reference text constraint withdrawal_requests_provider_reference unique,
  add column asked_at timestamptz;
create index withdrawal_requests_arrived on withdrawal_requests (asked_at nulls first) where state = 'paid' and provider_reference is not null;

-- Up to when a provider's own list of events was gone through, for those whose webhook never arrived.
create table provider_events_seen (
  provider text constraint provider_events_seen_pkey primary key,
  seen_until timestamptz not null
);
