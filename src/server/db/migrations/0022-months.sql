-- Entries, fees and stays lie in partitions by month: the month (UTC) of the id that is the last of their key, a UUID of version 7. So an old
-- month can leave the database as a whole, and a check that names a transfer looks into one month. Each table is written through its name
-- alone: its rules are triggers of statements, which a statement on a partition would not fire.

-- The lowest id of a month.
create function month_id(month date) returns uuid language sql immutable parallel safe as $$
  select rpad(lpad(to_hex(extract(epoch from month)::bigint * 1000), 12, '0'), 32, '0')::uuid
$$;

create function month_of(id uuid) returns date language sql immutable parallel safe as $$
  select date_trunc('month', timestamp 'epoch' + interval '1 millisecond' * ('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint)::date
$$;

create function refuse_partition_write() returns trigger language plpgsql as $$
begin
  raise exception '% is a part of a table: % refused', tg_table_name, lower(tg_op)
    using errcode = 'integrity_constraint_violation', constraint = 'partition_through_table';
end $$;

-- Makes the partition of a month, unless it is there. Rows of that month that came before it lie in the partition for all others, and are moved.
create function open_month(parent regclass, month date) returns void language plpgsql as $$
declare
  opened text := parent || '_' || to_char(month, 'YYYY_MM');
  rest text := parent || '_rest';
  key text := (select a.attname from pg_partitioned_table p join pg_attribute a on a.attrelid = p.partrelid and a.attnum = p.partattrs[0] where p.partrelid = parent);
  span text := format('%1$I >= %2$L and %1$I < %3$L', key, month_id(month), month_id((month + interval '1 month')::date));
  target regclass;
  is_late boolean;
begin
  if to_regclass(opened) is not null then
    return;
  end if;
  -- In the order in which a transfer is written, so that nobody who writes one waits for us while we wait for them.
  for target in select confrelid from pg_constraint where conrelid = parent and contype = 'f' and conparentid = 0 order by confrelid::regclass::text loop
    execute format('lock table %s in share row exclusive mode', target);
  end loop;
  execute format('lock table %I in access exclusive mode', rest);
  execute format('create table %I (like %s including all)', opened, parent);
  execute format('select exists (select from %I where %s)', rest, span) into is_late;
  if is_late then
    execute format('alter table %I disable trigger user', rest);
    execute format('with late as (delete from %1$I where %3$s returning *) insert into %2$I select * from late', rest, opened, span);
    execute format('alter table %I enable trigger user', rest);
  end if;
  execute format('alter table %s attach partition %I for values from (%L) to (%L)', parent, opened, month_id(month), month_id((month + interval '1 month')::date));
  execute format('create trigger %I before insert or update or delete or truncate on %I for each statement execute function refuse_partition_write()', opened || '_through_table', opened);
end $$;

-- The first month that may have rows: ids are made by the clocks of machines, which may be behind the database's when a book begins.
create function first_month() returns date language plpgsql stable as $$
begin
  return (select date_trunc('month', coalesce(min(born_at), now()) at time zone 'UTC') - interval '1 month' from book);
end $$;

-- Makes the partitions of this month and the next, and of months before of which rows came late. The app's role owns no table, so this
-- runs as the owner; it takes no argument, so that nobody can make it do anything else. If it cannot have its locks within a second, it fails and
-- is tried again: there is a month's time.
create function open_months() returns void language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '1s' as $$
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
      if wanted between first_month() and last then
        perform open_month(parent, wanted);
      end if;
    end loop;
  end loop;
end $$;
revoke all on function open_months(), open_month(regclass, date) from public;

-- Autovacuum never analyzes a table of partitions as a whole, and the planner estimates joins by that.
create function count_months() returns void language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '1s' as $$
declare parent regclass;
begin
  for parent in select p.partrelid from pg_partitioned_table p join pg_class c on c.oid = p.partrelid where c.relnamespace = 'public'::regnamespace loop
    execute format('analyze %s', parent);
  end loop;
end $$;
revoke all on function count_months() from public;

alter table ledger_entries rename to whole_entries;
alter table whole_entries drop constraint ledger_entries_pkey;
drop index ledger_entries_account;
create table ledger_entries (
  user_id uuid not null,
  transfer_id uuid not null,
  account_id bigint not null,
  asset text not null,
  amount bigint not null constraint ledger_entries_not_zero check (amount <> 0),
  constraint ledger_entries_pkey primary key (user_id, transfer_id, account_id)
) partition by range (transfer_id);
create index ledger_entries_account on ledger_entries (user_id, account_id);
create table ledger_entries_rest partition of ledger_entries default;
select open_month('ledger_entries', month) from (select distinct month_of(transfer_id) as month from whole_entries) m where month between first_month() and now() at time zone 'UTC';
insert into ledger_entries (user_id, transfer_id, account_id, asset, amount) select user_id, transfer_id, account_id, asset, amount from whole_entries;
drop table whole_entries;

alter table platform_fees rename to whole_fees;
alter table whole_fees drop constraint platform_fees_pkey;
create table platform_fees (
  user_id uuid not null,
  bot_id uuid not null,
  id uuid not null,
  user_profit bigint not null constraint platform_fees_profit check (user_profit > 0),
  fee_amount bigint not null constraint platform_fees_amount check (fee_amount >= 0),
  fee_bps integer not null default 1500,
  -- The last pool change that the money came from.
  trade uuid,
  created_at timestamptz not null default now(),
  constraint platform_fees_pkey primary key (user_id, bot_id, id)
) partition by range (id);
create table platform_fees_rest partition of platform_fees default;
select open_month('platform_fees', month) from (select distinct month_of(id) as month from whole_fees) m where month between first_month() and now() at time zone 'UTC';
insert into platform_fees (user_id, bot_id, id, user_profit, fee_amount, fee_bps, trade, created_at)
select user_id, bot_id, id, user_profit, fee_amount, fee_bps, trade, created_at from whole_fees;
drop table whole_fees;

-- `began`: the id of the change that began the stay, which its sleeve keeps until it ends. Its number alone says no month; together they keep one stay of a sleeve for each number,
-- because a number of a pool has one id.
alter table sleeves add column began uuid;
update sleeves s set began = c.id from pool_changes c where c.pool = s.pool and c.number = s.joined;
alter table sleeves add constraint sleeves_began check ((joined > 0) = (began is not null));
alter table sleeve_stays rename to whole_stays;
alter table whole_stays drop constraint sleeve_stays_pkey;
create table sleeve_stays (
  user_id uuid not null,
  bot_id uuid not null,
  pool smallint not null,
  joined bigint not null,
  began uuid not null,
  left_with bigint not null,
  units numeric(38, 0) not null,
  offered bigint not null,
  redeemed numeric(38, 0) not null,
  paid bigint not null,
  paid_base bigint not null,
  cash_out bigint not null,
  base_out bigint not null,
  constraint sleeve_stays_pkey primary key (user_id, bot_id, pool, joined, began),
  constraint sleeve_stays_length check ((joined < left_with and units > 0) or (joined = left_with and units = 0))
) partition by range (began);
create table sleeve_stays_rest partition of sleeve_stays default;
select open_month('sleeve_stays', month) from (select distinct month_of(id) as month from pool_changes) m where month between first_month() and now() at time zone 'UTC';
insert into sleeve_stays (user_id, bot_id, pool, joined, began, left_with, units, offered, redeemed, paid, paid_base, cash_out, base_out)
select s.user_id, s.bot_id, s.pool, s.joined, c.id, s.left_with, s.units, s.offered, s.redeemed, s.paid, s.paid_base, s.cash_out, s.base_out
  from whole_stays s left join pool_changes c on c.pool = s.pool and c.number = s.joined;
drop table whole_stays;

select open_months();

alter table ledger_entries
  add constraint ledger_entries_transfer foreign key (user_id, transfer_id) references ledger_transfers (user_id, id),
  add constraint ledger_entries_account foreign key (user_id, account_id, asset) references ledger_accounts (user_id, id, asset);
alter table platform_fees
  add constraint platform_fees_bot foreign key (user_id, bot_id) references trading_bots,
  add constraint platform_fees_trade foreign key (trade) references pool_changes (id);

create trigger ledger_entries_applied after insert on ledger_entries
  referencing new table as added for each statement execute function ledger_apply_entries();
create trigger ledger_entries_append_only before update or delete or truncate on ledger_entries
  for each statement execute function ledger_refuse_change();
create trigger platform_fees_append_only before update or delete or truncate on platform_fees
  for each statement execute function ledger_refuse_change();
create trigger sleeve_stays_append_only before update or delete or truncate on sleeve_stays
  for each statement execute function ledger_refuse_change();
create trigger ledger_entries_rest_through_table before insert or update or delete or truncate on ledger_entries_rest
  for each statement execute function refuse_partition_write();
create trigger platform_fees_rest_through_table before insert or update or delete or truncate on platform_fees_rest
  for each statement execute function refuse_partition_write();
create trigger sleeve_stays_rest_through_table before insert or update or delete or truncate on sleeve_stays_rest
  for each statement execute function refuse_partition_write();

-- The plan is made once: with a plan for each transfer, choosing the month would cost more than the look into it.
alter function ledger_require_entries() set plan_cache_mode = force_generic_plan;

select count_months();
