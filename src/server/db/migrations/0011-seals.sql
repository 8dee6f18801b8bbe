-- Seals: proof that this product wrote a row. A seal is made with a key that is not in the database, so that nobody who can write here can make
-- one. Rules against changes come first, because they need no key; a superuser can lift them, and then the seals show the change.

alter table book add column id uuid not null default gen_random_uuid();
-- Null until the first start, which knows the key.
alter table book add column seal text;

create function book_refuse_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.seal is null and (new.id, new.kind, new.born_at) = (old.id, old.kind, old.born_at) then
    return new;
  end if;
  raise exception 'a book never changes: % refused', lower(tg_op)
    using errcode = 'integrity_constraint_violation', constraint = 'book_fixed';
end $$;
create trigger book_fixed before update or delete on book for each row execute function book_refuse_change();
create trigger book_kept before truncate on book for each statement execute function ledger_refuse_change();

create trigger market_clock_feed_fixed before update on market_clock for each row when (old.feed <> new.feed) execute function ledger_refuse_change();
create trigger market_clock_kept before delete or truncate on market_clock for each statement execute function ledger_refuse_change();

-- The sandbox pretends to be a card provider and a bank: it never takes part in a live book.
create function book_refuse_sandbox() returns trigger language plpgsql as $$
begin
  if exists (select from book where kind = 'live') then
    raise exception 'a live book has no sandbox: % of % refused', lower(tg_op), tg_table_name
      using errcode = 'integrity_constraint_violation', constraint = 'book_without_sandbox';
  end if;
  return new;
end $$;
create trigger payment_intents_without_sandbox before insert or update of provider on payment_intents
  for each row when (new.provider = 'sandbox') execute function book_refuse_sandbox();
create trigger withdrawal_requests_without_sandbox before insert or update of payout_provider on withdrawal_requests
  for each row when (new.payout_provider = 'sandbox') execute function book_refuse_sandbox();
create trigger sandbox_payments_without_sandbox before insert or update on sandbox_payments
  for each row execute function book_refuse_sandbox();

-- The origin, the amount and the time of money are written once.
create trigger payment_intents_fixed before update on payment_intents for each row
  when ((old.provider, old.created_at) is distinct from (new.provider, new.created_at) and old.status <> 'open'
        or old.credited_at is not null and (old.received, old.credited_at) is distinct from (new.received, new.credited_at))
  execute function ledger_refuse_change();
create trigger withdrawal_requests_fixed before update on withdrawal_requests for each row
  when ((old.amount, old.bank_account_id, old.created_at) is distinct from (new.amount, new.bank_account_id, new.created_at))
  execute function ledger_refuse_change();

-- `seal`: by the process that posts, over the transfer and its entries. `written_in`: the database transaction that wrote the row, so that a
-- seal of the book can cover all rows that were written before a point, and no row can appear there later.
alter table ledger_transfers add column seal text;
alter table ledger_transfers add column written_in bigint not null default (pg_current_xact_id()::text::bigint);
create index ledger_transfers_written on ledger_transfers using brin (written_in) with (autosummarize = on);

-- Rows of a paper book that was made before rows had seals get theirs at its next start.
create index ledger_transfers_unsealed on ledger_transfers (user_id, id) where seal is null;
drop trigger ledger_transfers_append_only on ledger_transfers;
create trigger ledger_transfers_append_only before delete or truncate on ledger_transfers
  for each statement execute function ledger_refuse_change();
create trigger ledger_transfers_fixed before update on ledger_transfers for each row
  when (old.seal is not null or (old.user_id, old.id, old.kind, old.dedup_key, old.body_hash, old.event_time, old.recorded_at, old.written_in)
        is distinct from (new.user_id, new.id, new.kind, new.dedup_key, new.body_hash, new.event_time, new.recorded_at, new.written_in))
  execute function ledger_refuse_change();

alter table audit_events add column seal text;
alter table audit_events add column written_in bigint not null default (pg_current_xact_id()::text::bigint);
create index audit_events_written on audit_events using brin (written_in) with (autosummarize = on);

create index audit_events_unsealed on audit_events (id) where seal is null;
drop trigger audit_events_append_only on audit_events;
create trigger audit_events_append_only before delete or truncate on audit_events
  for each statement execute function ledger_refuse_change();
create trigger audit_events_fixed before update on audit_events for each row
  when (old.seal is not null or (old.id, old.actor, old.action, old.subject, old.details, old.created_at, old.written_in)
        is distinct from (new.id, new.actor, new.action, new.subject, new.details, new.created_at, new.written_in))
  execute function ledger_refuse_change();

-- Seals of the book, a numbered chain. Each covers the rows written since the one before, so that none of them can vanish.
create table book_seals (
  number bigint constraint book_seals_pkey primary key constraint book_seals_number check (number > 0),
  -- The seal before; '' for the first.
  previous text not null,
  -- It covers the rows that were written in database transactions below this one, and no earlier seal did.
  until_transaction bigint not null constraint book_seals_until unique,
  -- Number of transfers, and the ids of the audit events in their order.
  transfers bigint not null,
  events uuid[] not null,
  sealed_at timestamptz not null,
  seal text not null
);
create trigger book_seals_append_only before update or delete or truncate on book_seals
  for each statement execute function ledger_refuse_change();

-- A seal that was found broken, until a check finds all of them whole.
create table broken_seal (
  only_row boolean constraint broken_seal_pkey primary key default true constraint broken_seal_only_row check (only_row),
  found_at timestamptz not null default now(),
  sentence text not null
);

-- Why an approved withdrawal is not paid yet: its money is not proven, or the card provider does not answer.
alter table withdrawal_requests add column waits_for text;
