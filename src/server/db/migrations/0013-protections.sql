alter table withdrawal_holds add constraint withdrawal_holds_reason check (reason in
  ('password-reset', 'password-changed', 'email-verified', 'factor-changed', 'bank-account-added', 'bank-account-default', 'disowned'));

-- Which bank account was the default since when, so that a thief's choice can be undone.
create table bank_account_defaults (
  user_id uuid not null,
  bank_account_id uuid not null,
  since timestamptz not null default clock_timestamp(),
  constraint bank_account_defaults_pkey primary key (user_id, since),
  constraint bank_account_defaults_account foreign key (user_id, bank_account_id) references bank_accounts (user_id, id)
);
insert into bank_account_defaults (user_id, bank_account_id, since) select user_id, id, created_at from bank_accounts where is_default;

-- Protections of withdrawals that the user chose. The looser ones of a change apply from `next_from` on.
create table withdrawal_protections (
  user_id uuid not null constraint withdrawal_protections_user references users,
  -- Hours between a request and its sending.
  delay_hours integer not null constraint withdrawal_protections_delay check (delay_hours between 0 and 48),
  -- Null: no limit.
  daily_limit bigint constraint withdrawal_protections_limit check (daily_limit > 0),
  allowed_only boolean not null,
  next_delay_hours integer constraint withdrawal_protections_next_delay check (next_delay_hours between 0 and 48),
  next_daily_limit bigint constraint withdrawal_protections_next_limit check (next_daily_limit > 0),
  next_allowed_only boolean,
  next_from timestamptz,
  constraint withdrawal_protections_next check ((next_from is null) = (next_delay_hours is null) and (next_from is null) = (next_allowed_only is null)),
  constraint withdrawal_protections_pkey primary key (user_id)
);

-- From when on the account can be withdrawn to where only such accounts may be.
alter table bank_accounts add column allowed_from timestamptz not null default now();
update bank_accounts set allowed_from = created_at;
-- Until then the withdrawal is not sent, by the delay that its user had chosen; null without one.
alter table withdrawal_requests add column send_after timestamptz;
create index withdrawal_requests_recent on withdrawal_requests (user_id, created_at);

-- Why an operator looks at the withdrawal before it is sent: it was above a limit of the settings when it was requested.
alter table withdrawal_requests add column review_reasons text[] not null default '{}'
  constraint withdrawal_requests_review check (review_reasons <@ array['amount', 'count', 'young-deposits']);
