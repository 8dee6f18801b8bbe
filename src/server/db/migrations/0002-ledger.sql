create table book (
  only_row boolean primary key default true constraint book_only_row check (only_row),
  kind text not null constraint book_kind check (kind in ('paper', 'live')),
  born_at timestamptz not null default now(), id uuid not null default gen_random_uuid(),
  seal text -- Null until the first start, which knows the key.
);

create function book_refuse_change() returns trigger language plpgsql as $$ begin
  if tg_op = 'UPDATE' and old.seal is null
     and (new.id, new.kind, new.born_at) = (old.id, old.kind, old.born_at) then return new; end if;
  raise exception 'a book never changes: % refused', lower(tg_op)
    using errcode = 'integrity_constraint_violation', constraint = 'book_fixed';
end $$;
create trigger book_fixed before update or delete on book
  for each row execute function book_refuse_change();

create function ledger_refuse_change() returns trigger language plpgsql as $$ begin
  raise exception '% is append-only: % refused', tg_table_name, lower(tg_op)
    using errcode = 'integrity_constraint_violation', constraint = 'ledger_append_only';
end $$;
create trigger book_kept before truncate on book
  for each statement execute function ledger_refuse_change();

-- Credit-positive: what the house owes customers and earns is above 0, what it owns (bank, venue,
-- pending card payments) below. A user's transfer touches only that user's accounts, the house's
-- only its own: two users never wait for one row. The house is a user id that no user has, so
-- user_id has no foreign key; reconcile checks it.
create table ledger_accounts (
  user_id uuid not null, id bigint generated always as identity,
  -- rounding: what pools rounded away, and of a user's money what the house adds to whole cents.
  -- interest: below 0 by what the operator has not yet received for the interest paid to pools.
  code text not null, asset text not null, pool smallint,
  balance bigint not null default 0, may_be_negative boolean not null,
  primary key (user_id, id), constraint ledger_accounts_id_asset unique (user_id, id, asset),
  constraint ledger_accounts_unique unique nulls not distinct (user_id, code, asset, pool),
  constraint ledger_accounts_code check (case
    when code in ('customer:cash', 'customer:hold', 'customer:receivable')
      then user_id <> '00000000-0000-0000-0000-000000000000'
    when code in ('venue', 'pool', 'interest') then user_id = '00000000-0000-0000-0000-000000000000'
    else code in ('bots', 'card:clearing', 'payout:clearing', 'bank', 'fees:income', 'rounding')
    end),
  constraint ledger_accounts_dollars
    check (asset = 'USD' or user_id = '00000000-0000-0000-0000-000000000000'),
  constraint ledger_accounts_pool_code check ((pool is not null) = (code = 'pool')),
  constraint ledger_accounts_no_overdraft check (may_be_negative or balance >= 0),
  constraint ledger_accounts_receivable_owed check (code <> 'customer:receivable' or balance <= 0)
) with (fillfactor = 80);
create index ledger_accounts_debtors on ledger_accounts (user_id)
  where code = 'customer:receivable' and balance < 0;

create table ledger_transfers (
  user_id uuid not null, id uuid not null, kind text not null,
  -- Byte order, so that keys with a common prefix form a range in any locale.
  dedup_key text collate "C" not null, body_hash text not null,
  -- Market time of the event, which may run faster than wall-clock time in a paper book.
  event_time timestamptz not null, recorded_at timestamptz not null default clock_timestamp(),
  -- Over the transfer and its entries, with a key that is not in the database, so that nobody who
  -- can write here can make one. It shows a change by somebody who lifted the rules of the tables.
  seal text,
  -- The database transaction that wrote the row. A seal of the book covers all rows that were
  -- written before one, and no row can appear there later.
  written_in bigint not null default (pg_current_xact_id()::text::bigint),
  primary key (user_id, id), constraint ledger_transfers_dedup unique (user_id, dedup_key)
);
create index ledger_transfers_written on ledger_transfers
  using brin (written_in) with (autosummarize = on);

create table ledger_entries (
  user_id uuid not null, transfer_id uuid not null, account_id bigint not null, asset text not null,
  amount bigint not null constraint ledger_entries_not_zero check (amount <> 0),
  primary key (user_id, transfer_id, account_id),
  constraint ledger_entries_transfer foreign key (user_id, transfer_id) references ledger_transfers,
  constraint ledger_entries_account
    foreign key (user_id, account_id, asset) references ledger_accounts (user_id, id, asset)
);
create index ledger_entries_account on ledger_entries (user_id, account_id);

-- Entries of a transfer sum to zero per asset and are written in one statement. Balances are
-- updated in the order in which money actions lock them, so that there are no deadlocks:
-- descending users (the house last) and descending accounts.
create function ledger_apply_entries() returns trigger language plpgsql as $$
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
end $$;
create trigger ledger_entries_applied after insert on ledger_entries
  referencing new table as added for each statement execute function ledger_apply_entries();

-- Balances change only when entries are written.
create function ledger_refuse_balance_change() returns trigger language plpgsql as $$ begin
  if pg_trigger_depth() < 2 then
    raise exception 'balances follow entries'
      using errcode = 'integrity_constraint_violation', constraint = 'ledger_balance_follows';
  end if;
  return null;
end $$;
create trigger ledger_accounts_balance_follows after update of balance on ledger_accounts
  for each statement execute function ledger_refuse_balance_change();

create function ledger_require_entries() returns trigger language plpgsql as $$ begin
  if not exists (select from ledger_entries where user_id = new.user_id and transfer_id = new.id)
  then
    raise exception 'transfer % has no entries', new.id using
      errcode = 'integrity_constraint_violation', constraint = 'ledger_transfers_have_entries';
  end if;
  return null;
end $$;
create constraint trigger ledger_transfers_have_entries after insert on ledger_transfers
  deferrable initially deferred for each row execute function ledger_require_entries();

-- Balances for the whole product: the house's plus the sum of the users'.
create view ledger_control as
select code, asset, sum(balance)::bigint as balance from ledger_accounts group by code, asset;

-- The house's accounts. A user's cash, hold and receivable are opened at sign-up, the others on
-- first use. A start refuses a database that lacks any of these.
insert into ledger_accounts (user_id, code, asset, may_be_negative)
select '00000000-0000-0000-0000-000000000000', code, asset,
       asset = 'USD' or code in ('venue', 'bank')
  from unnest(array['bots', 'venue', 'rounding', 'bank', 'interest']) as code,
       unnest(array['USD', 'BTC', 'ETH', 'ADA', 'DOT', 'SOL', 'AVAX', 'POL', 'LINK', 'UNI', 'LTC',
                    'XRP', 'BNB']) as asset where asset = 'USD' or code <> 'interest';

-- The audit trail of operators, the system and users.
create table audit_events (
  id uuid primary key, actor text not null, action text not null, subject text not null,
  details jsonb not null, created_at timestamptz not null default clock_timestamp(),
  seal text, -- As that of a transfer, and so is the next.
  written_in bigint not null default (pg_current_xact_id()::text::bigint)
);
create index audit_events_subject on audit_events (subject, created_at);
create index audit_events_actor on audit_events (actor, id); -- For the copy of a user's data.
create index audit_events_written on audit_events using brin (written_in) with (autosummarize = on);

-- Seals of the book, a numbered chain: each covers the rows since the one before, so none vanishes.
create table book_seals (
  number bigint primary key constraint book_seals_number check (number > 0),
  previous text not null, -- The seal before; '' for the first.
  -- It covers the rows of database transactions below this one that no earlier seal did.
  until_transaction bigint not null constraint book_seals_until unique,
  -- Number of transfers, and the ids of the audit events in their order.
  transfers bigint not null, events uuid[] not null,
  sealed_at timestamptz not null, seal text not null
);

-- A seal that was found broken, until a check finds all of them whole.
create table broken_seal (
  only_row boolean primary key default true constraint broken_seal_only_row check (only_row),
  found_at timestamptz not null default now(), sentence text not null
);
