-- Amounts are bigint units at scale 8 everywhere. Money tables never cascade-delete.

create table book (
  only_row boolean constraint book_pkey primary key default true constraint book_only_row check (only_row),
  kind text not null constraint book_kind check (kind in ('paper', 'live')),
  born_at timestamptz not null default now()
);

create table users (
  id uuid constraint users_pkey primary key,
  username text not null,
  -- NFKC, lower case: what makes a name unique.
  username_key text not null constraint users_username_unique unique,
  -- argon2id, never plain.
  password text not null,
  email text,
  email_key text constraint users_email_unique unique,
  first_name text not null,
  last_name text not null,
  profile_image_url text,
  stripe_customer_id text,
  stripe_subscription_id text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table sessions (
  -- SHA-256 of the id in the cookie: a stolen table signs nobody in.
  sid_hash bytea constraint sessions_pkey primary key,
  user_id uuid not null constraint sessions_user references users,
  user_agent text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index sessions_user_id on sessions (user_id);
create index sessions_expires_at on sessions (expires_at);

-- Counts attempts in fixed windows, shared by all processes and kept over a restart.
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

-- Credit-positive: what the house owes customers and earns is above 0, what it owns (bank, venue, cards to come) below.
create table ledger_accounts (
  id bigint generated always as identity constraint ledger_accounts_pkey primary key,
  code text not null constraint ledger_accounts_code check (code in (
    'customer:cash', 'customer:hold', 'customer:receivable', 'bots', 'venue', 'trade:clearing',
    'card:clearing', 'payout:clearing', 'bank', 'fees:income', 'rounding')),
  owner uuid constraint ledger_accounts_owner references users,
  asset text not null,
  balance bigint not null default 0,
  may_be_negative boolean not null,
  constraint ledger_accounts_unique unique nulls not distinct (code, owner, asset),
  constraint ledger_accounts_id_asset unique (id, asset),
  constraint ledger_accounts_no_overdraft check (may_be_negative or balance >= 0),
  constraint ledger_accounts_owned check ((owner is not null) = (code like 'customer:%'))
);
create index ledger_accounts_owner_code on ledger_accounts (owner, code) include (balance);

create table ledger_transfers (
  id uuid constraint ledger_transfers_pkey primary key,
  kind text not null,
  -- Byte order, so that the keys of one occasion are a range whatever the database's language.
  dedup_key text collate "C" not null constraint ledger_transfers_dedup unique,
  body_hash text not null,
  user_id uuid constraint ledger_transfers_user references users,
  -- Market time of the event: the book's own clock, which a paper book may run faster than the wall's.
  event_time timestamptz not null,
  recorded_at timestamptz not null default clock_timestamp()
);
create index ledger_transfers_user on ledger_transfers (user_id, event_time);

create table ledger_entries (
  transfer_id uuid not null constraint ledger_entries_transfer references ledger_transfers,
  account_id bigint not null,
  asset text not null,
  amount bigint not null constraint ledger_entries_not_zero check (amount <> 0),
  constraint ledger_entries_pkey primary key (transfer_id, account_id),
  constraint ledger_entries_account foreign key (account_id, asset) references ledger_accounts (id, asset)
);
create index ledger_entries_account on ledger_entries (account_id);

-- Entries of a transfer sum to zero per asset and are written in one statement. Balances follow in falling order of accounts: users'
-- accounts, younger than the house's, are locked first (as money actions do before they decide), the busy ones last. So no deadlock.
create function ledger_apply_entries() returns trigger language plpgsql as $$
declare unbalanced record;
begin
  select transfer_id, asset into unbalanced from added group by transfer_id, asset having sum(amount) <> 0 limit 1;
  if found then
    raise exception 'entries of transfer % do not sum to zero in %', unbalanced.transfer_id, unbalanced.asset
      using errcode = 'integrity_constraint_violation', constraint = 'ledger_entries_balanced';
  end if;
  if exists (select from ledger_entries e join (select distinct transfer_id from added) a using (transfer_id)
             where not exists (select from added n where n.transfer_id = e.transfer_id and n.account_id = e.account_id)) then
    raise exception 'a transfer is written once' using errcode = 'integrity_constraint_violation', constraint = 'ledger_entries_once';
  end if;
  perform from ledger_accounts where id in (select account_id from added) order by id desc for no key update;
  update ledger_accounts a set balance = a.balance + s.amount
    from (select account_id, sum(amount)::bigint as amount from added group by account_id) s
   where a.id = s.account_id;
  return null;
end $$;
create trigger ledger_entries_applied after insert on ledger_entries
  referencing new table as added for each statement execute function ledger_apply_entries();

create function ledger_refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only: % refused', tg_table_name, lower(tg_op)
    using errcode = 'integrity_constraint_violation', constraint = 'ledger_append_only';
end $$;
create trigger ledger_entries_append_only before update or delete or truncate on ledger_entries
  for each statement execute function ledger_refuse_change();
create trigger ledger_transfers_append_only before update or delete or truncate on ledger_transfers
  for each statement execute function ledger_refuse_change();

-- A balance moves only because entries were written.
create function ledger_refuse_balance_change() returns trigger language plpgsql as $$
begin
  if pg_trigger_depth() < 2 then
    raise exception 'balances follow entries' using errcode = 'integrity_constraint_violation', constraint = 'ledger_balance_follows';
  end if;
  return null;
end $$;
create trigger ledger_accounts_balance_follows after update of balance on ledger_accounts
  for each statement execute function ledger_refuse_balance_change();
create trigger ledger_accounts_kept before delete or truncate on ledger_accounts
  for each statement execute function ledger_refuse_change();

create function ledger_require_entries() returns trigger language plpgsql as $$
begin
  if not exists (select from ledger_entries where transfer_id = new.id) then
    raise exception 'transfer % has no entries', new.id
      using errcode = 'integrity_constraint_violation', constraint = 'ledger_transfers_have_entries';
  end if;
  return null;
end $$;
create constraint trigger ledger_transfers_have_entries after insert on ledger_transfers
  deferrable initially deferred for each row execute function ledger_require_entries();

-- The house's accounts. Customers' accounts are opened at sign-up.
insert into ledger_accounts (code, asset, may_be_negative)
select code, asset, code in ('venue', 'trade:clearing')
  from unnest(array['bots', 'venue', 'trade:clearing', 'rounding']) as code,
       unnest(array['USD', 'BTC', 'ETH', 'ADA', 'DOT', 'SOL', 'AVAX', 'POL', 'LINK', 'UNI', 'LTC', 'XRP', 'BNB']) as asset;
insert into ledger_accounts (code, asset, may_be_negative)
values ('card:clearing', 'USD', true), ('payout:clearing', 'USD', false), ('bank', 'USD', true), ('fees:income', 'USD', false);
