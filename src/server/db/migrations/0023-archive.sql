-- Months whose entries and fees have left for files. The manifest names each file with its hash and is sealed, so that no other file can take its
-- place. What checks and screens need of a month without its file is carried forward, keyed by user.
create table archived_months (
  month date constraint archived_months_pkey primary key constraint archived_months_first check (month = date_trunc('month', month)),
  -- The lowest id of the month, and that of the next: the ids of rows that have left are from the one up to the other.
  first_id uuid not null,
  end_id uuid not null,
  manifest text not null,
  seal text not null,
  archived_at timestamptz not null default now()
);
create trigger archived_months_append_only before update or delete or truncate on archived_months
  for each statement execute function ledger_refuse_change();

-- The sums of an account's entries of a month: `given` above 0, `taken` below.
create table archived_entries (
  user_id uuid not null,
  account_id bigint not null,
  month date not null constraint archived_entries_month references archived_months,
  entries bigint not null,
  given bigint not null,
  taken bigint not null,
  constraint archived_entries_pkey primary key (user_id, account_id, month),
  constraint archived_entries_account foreign key (user_id, account_id) references ledger_accounts
);
create trigger archived_entries_append_only before update or delete or truncate on archived_entries
  for each statement execute function ledger_refuse_change();

-- The sum of a bot's fees of a month.
create table archived_fees (
  user_id uuid not null,
  bot_id uuid not null,
  month date not null constraint archived_fees_month references archived_months,
  fees bigint not null,
  fee_amount bigint not null,
  constraint archived_fees_pkey primary key (user_id, bot_id, month),
  constraint archived_fees_bot foreign key (user_id, bot_id) references trading_bots
);
create trigger archived_fees_append_only before update or delete or truncate on archived_fees
  for each statement execute function ledger_refuse_change();

-- An archived month is never opened again: rows with ids of it are strays.
create or replace function open_months() returns void language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '1s' as $$
declare
  parent regclass;
  key text;
  late date[];
  wanted date;
  last date := (date_trunc('month', now() at time zone 'UTC') + interval '1 month')::date;
begin
  -- Of processes that start at the same moment, one makes them.
  if not pg_try_advisory_xact_lock(7205331144) then
    return;
  end if;
  for parent, key in
    select p.partrelid, a.attname from pg_partitioned_table p join pg_class c on c.oid = p.partrelid
      join pg_attribute a on a.attrelid = p.partrelid and a.attnum = p.partattrs[0]
     where c.relnamespace = 'public'::regnamespace order by p.partrelid::regclass::text
  loop
    execute format('select array_agg(distinct month_of(%I)) from %I', key, parent || '_rest') into late;
    for wanted in
      select (last - interval '1 month')::date union select last union select unnest(late) order by 1
    loop
      if wanted between first_month() and last
         and (parent::text = 'sleeve_stays' or not exists (select from archived_months where month = wanted)) then
        perform open_month(parent, wanted);
      end if;
    end loop;
  end loop;
end $$;
