-- What opens an account and protects its money has a seal, so that a row that somebody wrote into the tables is not believed. Each change adds
-- one, and the newest counts: an earlier state cannot be put back. The first start seals the accounts of a book that exists.
create table account_seals (
  user_id uuid not null constraint account_seals_user references users,
  number bigint not null constraint account_seals_number check (number > 0),
  seal text not null,
  sealed_at timestamptz not null default now(),
  constraint account_seals_pkey primary key (user_id, number)
);
