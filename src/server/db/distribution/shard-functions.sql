-- The checks of users' rows as they run in a shard. A trigger there belongs to the shard, so the tables that it reads and writes are shards too,
-- those with the same users. The rules are those of the migrations; only the names of the tables are found at run time.

create or replace function table_beside(name regclass, shard name) returns text language sql stable as $$
  select format('%I', name::text || '_' || there.shardid)
    from pg_dist_shard here join pg_dist_shard there on there.logicalrelid = name and (there.shardminvalue is null or there.shardminvalue = here.shardminvalue)
   where here.shardid = substring(shard from '[0-9]+$')::bigint
$$;

create or replace function ledger_apply_entries() returns trigger language plpgsql as $$
declare
  accounts text := table_beside('ledger_accounts', tg_table_name);
  unbalanced record;
  is_written_again boolean;
begin
  select transfer_id, asset into unbalanced from added group by user_id, transfer_id, asset having sum(amount) <> 0 limit 1;
  if found then
    raise exception 'entries of transfer % do not sum to zero in %', unbalanced.transfer_id, unbalanced.asset
      using errcode = 'integrity_constraint_violation', constraint = 'ledger_entries_balanced';
  end if;
  execute format('
    select exists (select from (select user_id, transfer_id, count(*) as written from added group by user_id, transfer_id) a
                    where (select count(*) from %I e where e.user_id = a.user_id and e.transfer_id = a.transfer_id) <> a.written)', tg_table_name)
    into is_written_again;
  if is_written_again then
    raise exception 'a transfer is written once' using errcode = 'integrity_constraint_violation', constraint = 'ledger_entries_once';
  end if;
  execute format('select from %s where (user_id, id) in (select user_id, account_id from added) order by user_id desc, id desc for no key update', accounts);
  execute format('
    update %s a set balance = a.balance + s.amount
      from (select user_id, account_id, sum(amount)::bigint as amount from added group by user_id, account_id) s
     where a.user_id = s.user_id and a.id = s.account_id', accounts);
  return null;
end $$;

create or replace function ledger_require_entries() returns trigger language plpgsql as $$
declare has_entries boolean;
begin
  execute format('select exists (select from %s where user_id = $1 and transfer_id = $2)', table_beside('ledger_entries', tg_table_name))
    into has_entries using new.user_id, new.id;
  if not has_entries then
    raise exception 'transfer % has no entries', new.id
      using errcode = 'integrity_constraint_violation', constraint = 'ledger_transfers_have_entries';
  end if;
  return null;
end $$;

create or replace function book_refuse_sandbox() returns trigger language plpgsql as $$
declare
  -- The trigger also runs on a table of the coordinator.
  book text := case when tg_table_name ~ '_[0-9]+$' then table_beside('book', tg_table_name) else 'book' end;
  is_live boolean;
begin
  execute format('select exists (select from %s where kind = ''live'')', book) into is_live;
  if is_live then
    raise exception 'a live book has no sandbox: % of % refused', lower(tg_op), tg_table_name
      using errcode = 'integrity_constraint_violation', constraint = 'book_without_sandbox';
  end if;
  return new;
end $$;
