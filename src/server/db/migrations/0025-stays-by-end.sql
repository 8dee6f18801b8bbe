-- Stays lie in the month of the change that ended them, not of the one that began them: so a month is complete once it is over, whoever is still
-- in a pool, and can leave as those of entries and fees do.
-- Whoever is writing stays ends first, and nobody begins.
lock table sleeve_stays in access exclusive mode;
create table stays_before as
select s.*, c.id as ended from sleeve_stays s left join pool_changes c on c.pool = s.pool and c.number = s.left_with;
drop table sleeve_stays;

-- `ended`: the id of the change of the pool that ended the stay. A stay of no length whose order cost cash and brought no coins is written when its
-- sleeve joins next, and names that change.
create table sleeve_stays (
  user_id uuid not null,
  bot_id uuid not null,
  pool smallint not null,
  joined bigint not null,
  began uuid not null,
  ended uuid not null,
  left_with bigint not null,
  units numeric(38, 0) not null,
  offered bigint not null,
  redeemed numeric(38, 0) not null,
  paid bigint not null,
  paid_base bigint not null,
  cash_out bigint not null,
  base_out bigint not null,
  constraint sleeve_stays_pkey primary key (user_id, bot_id, pool, joined, ended),
  constraint sleeve_stays_length check ((joined < left_with and units > 0) or (joined = left_with and units = 0))
) partition by range (ended);
create table sleeve_stays_rest partition of sleeve_stays default;

-- As before, and in a distributed database too: Citus cannot look for a row without any column, and puts no trigger of a truncate into shards, whatever
-- else it is of.
create or replace function open_month(parent regclass, month date) returns void language plpgsql as $$
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
  execute format('select exists (select 1 from %I where %s)', rest, span) into is_late;
  if is_late then
    execute format('alter table %I disable trigger user', rest);
    execute format('with late as (delete from %1$I where %3$s returning *) insert into %2$I select * from late', rest, opened, span);
    execute format('alter table %I enable trigger user', rest);
  end if;
  execute format('alter table %s attach partition %I for values from (%L) to (%L)', parent, opened, month_id(month), month_id((month + interval '1 month')::date));
  execute format('create trigger %I before insert or update or delete on %I for each statement execute function refuse_partition_write()', opened || '_through_table', opened);
  execute format('create trigger %I before truncate on %I for each statement execute function refuse_partition_write()', opened || '_not_emptied', opened);
end $$;

-- An archived month is never opened again, unless it left before stays could: then it has kept its own.
do $$
declare
  before text := pg_get_functiondef('open_months'::regproc);
  after text := replace(before, '(parent::text = ''sleeve_stays'' or not exists (select from archived_months where month = wanted))',
    'not exists (select from archived_months m where m.month = wanted and (parent::text <> ''sleeve_stays'' or m.manifest like ''%"sleeve_stays"%''))');
begin
  if after = before then
    raise exception 'open_months() is not as migration 0023 left it';
  end if;
  execute after;
end $$;

-- What checks need of the stays of a month without their file: their number, and what they paid into pools and got out. Without a key to the months: in
-- a distributed database, a new table cannot have one to a copied table and one to a distributed table.
create table archived_stays (
  user_id uuid not null,
  bot_id uuid not null,
  month date not null,
  stays bigint not null,
  paid bigint not null,
  cash_out bigint not null,
  constraint archived_stays_pkey primary key (user_id, bot_id, month),
  constraint archived_stays_bot foreign key (user_id, bot_id) references trading_bots
);
create trigger archived_stays_append_only before update or delete or truncate on archived_stays
  for each statement execute function ledger_refuse_change();

select open_month('sleeve_stays', month) from (select distinct month_of(ended) as month from stays_before) m where month between first_month() and now() at time zone 'UTC';
insert into sleeve_stays (user_id, bot_id, pool, joined, began, ended, left_with, units, offered, redeemed, paid, paid_base, cash_out, base_out)
select user_id, bot_id, pool, joined, began, ended, left_with, units, offered, redeemed, paid, paid_base, cash_out, base_out from stays_before;
drop table stays_before;
select open_months();

create trigger sleeve_stays_append_only before update or delete or truncate on sleeve_stays
  for each statement execute function ledger_refuse_change();
create trigger sleeve_stays_rest_through_table before insert or update or delete or truncate on sleeve_stays_rest
  for each statement execute function refuse_partition_write();

select count_months();
