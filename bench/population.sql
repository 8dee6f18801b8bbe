-- Users who paid by card and made bots that have joined their pools, set-based, consistent to the
-- unit: `reconcile` finds no difference afterwards. Settings: bench.users, bench.bots, bench.pairs
-- (a text array; each bot trades bench.pairs_each of them, in turn), bench.strategies (a text
-- array, in turn), bench.prefix (of their names), bench.is_new (the engine has not seen them, and
-- their pools stay unchanged). Triggers are disabled, because they would run for each of a million
-- bots.
set local session_replication_role = replica;

-- `uuidv7` for clusters whose PostgreSQL is older than 18.
do $$ begin
  if current_setting('server_version_num')::integer < 180000 then
    create or replace function public.uuidv7() returns uuid language sql volatile as $fn$
      select encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid()) placing
               substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3)
               from 1 for 6), 52, 1), 53, 1), 'hex')::uuid $fn$;
  end if;
end $$;

create temporary table person on commit drop as
select no, uuidv7() as id from generate_series(0, current_setting('bench.users')::integer - 1) as no;

-- Users make their bots in no particular order, a long time apart.
create temporary table robot on commit drop as
select bot.no, uuidv7() as id, person.id as user_id, uuidv7() as transfer_id,
       -- 10.00 to 1,000.00 dollars.
       (1000 + bot.no::bigint * 7919 % 99001) * 1000000 as invested,
       strategies.list[1 + bot.no / cardinality(pairs.list) % cardinality(strategies.list)] as strategy,
       array(select pairs.list[1 + (bot.no + place) % cardinality(pairs.list)]
               from generate_series(0, current_setting('bench.pairs_each')::integer - 1) as place) as pairs
  from generate_series(0, current_setting('bench.bots')::integer - 1) as bot (no)
  join person on person.no = bot.no::bigint * 48271 % current_setting('bench.users')::integer,
       (select current_setting('bench.pairs')::text[] as list) as pairs,
       (select current_setting('bench.strategies')::text[] as list) as strategies
 order by bot.no;

-- Every user deposited the amount invested in bots and 100 dollars more.
create temporary table deposit on commit drop as
select user_id, uuidv7() as transfer_id, 'pi_' || user_id as intent, sum(invested)::bigint as invested, sum(invested)::bigint + 10000000000 as amount
  from robot group by user_id;

insert into users (id, username, password, first_name, last_name)
select id, current_setting('bench.prefix') || no, 'nobody signs in', 'Ben', 'Ch' from person;
insert into usernames (username_key, user_id) select current_setting('bench.prefix') || no, id from person;

insert into ledger_accounts (user_id, code, asset, balance, may_be_negative)
select d.user_id, line.code, 'USD', line.balance, line.code in ('customer:receivable', 'bots', 'card:clearing')
  from deposit d,
       lateral (values ('customer:cash', d.amount - d.invested), ('customer:hold', 0), ('customer:receivable', 0), ('bots', d.invested), ('card:clearing', -d.amount)) as line (code, balance);

insert into payment_intents (id, user_id, provider, amount, status, received, credited_at)
select intent, user_id, 'sandbox', amount, 'succeeded', amount, now() from deposit;
insert into ledger_transfers (user_id, id, kind, dedup_key, body_hash, event_time)
select user_id, transfer_id, 'deposit', 'deposit:' || intent, '', now() from deposit;
insert into ledger_entries (user_id, transfer_id, account_id, asset, amount)
select d.user_id, d.transfer_id, a.id, 'USD', case a.code when 'customer:cash' then d.amount else -d.amount end
  from deposit d join ledger_accounts a on a.user_id = d.user_id and a.code in ('customer:cash', 'card:clearing');
insert into transactions (id, user_id, type, amount, status, description, payment_intent_id, transfer_id)
select uuidv7(), user_id, 'deposit', amount, 'completed', '{"code": "cardDeposit"}', intent, transfer_id from deposit;

insert into trading_bots (id, user_id, name, risk_level, strategy, trading_pairs, invested, status, engine_status, market_start)
select id, user_id, 'Bench ' || no, case strategy when 'hold' then 'aggressive' else split_part(strategy, '-', 2) end, strategy, pairs, invested, 'active', case when not current_setting('bench.is_new')::boolean then 'active' end, now() from robot;
insert into ledger_transfers (user_id, id, kind, dedup_key, body_hash, event_time)
select user_id, transfer_id, 'bot-funded', 'bot:' || id || ':fund', '', now() from robot;
insert into ledger_entries (user_id, transfer_id, account_id, asset, amount)
select r.user_id, r.transfer_id, a.id, 'USD', case a.code when 'bots' then r.invested else -r.invested end
  from robot r join ledger_accounts a on a.user_id = r.user_id and a.code in ('customer:cash', 'bots');
insert into transactions (id, user_id, type, amount, status, description, bot_id, transfer_id)
select uuidv7(), user_id, 'transfer', -invested, 'completed', jsonb_build_object('code', 'invested', 'values', jsonb_build_object('name', 'Bench ' || no)), id, transfer_id from robot;

-- As `splitInvestment` of the core: equal parts, the remainder to the first.
create temporary table part on commit drop as
select r.user_id, r.id as bot_id, p.id as pool, r.invested / cardinality(r.pairs) + case sleeve.place when 1 then r.invested % cardinality(r.pairs) else 0 end as cash
  from robot r, unnest(r.pairs) with ordinality as sleeve (pair, place) join pools p on p.pair = sleeve.pair
 where p.strategy = r.strategy;
insert into sleeves (user_id, bot_id, pool, cash)
select user_id, bot_id, pool, cash from part where current_setting('bench.is_new')::boolean;

-- As `found`: 10,000 units of a pool for each unit of money.
delete from part where current_setting('bench.is_new')::boolean;
create temporary table founded on commit drop as
select pool, sum(cash)::bigint as cash, count(*)::integer as members, uuidv7() as id from part group by pool;
insert into sleeves (user_id, bot_id, pool, status, cash, units, joined, offered, paid)
select user_id, bot_id, pool, 'in', 0, part.cash::numeric * 10000, 1, part.cash, part.cash from part;
update pools p set cash = f.cash, units = f.cash::numeric * 10000, changes = 1 from founded f where p.id = f.pool;
insert into pool_changes (pool, number, id, kind, weight, members, cash_after, base_after, units_after, reason, market_time)
select pool, 1, id, 'join', cash, members, cash, 0, cash::numeric * 10000, '{"code": "beginsInCash"}', now() from founded;
insert into ledger_transfers (user_id, id, kind, dedup_key, body_hash, event_time)
select '00000000-0000-0000-0000-000000000000', id, 'pool-joined', 'change:' || id, '', now() from founded;
insert into ledger_entries (user_id, transfer_id, account_id, asset, amount)
select a.user_id, f.id, a.id, 'USD', case a.code when 'pool' then f.cash else -f.cash end
  from founded f join ledger_accounts a on a.user_id = '00000000-0000-0000-0000-000000000000' and a.asset = 'USD' and (a.pool = f.pool or a.code = 'bots');
update ledger_accounts a set balance = case a.code when 'pool' then f.cash else -(select sum(cash)::bigint from founded) end
  from founded f where a.user_id = '00000000-0000-0000-0000-000000000000' and a.asset = 'USD' and (a.pool = f.pool or a.code = 'bots');
