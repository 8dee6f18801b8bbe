-- Users who paid by card and made bots, set-based, consistent to the unit: `reconcile` finds nothing afterwards.
-- Settings: bench.users, bench.bots, bench.pairs (a text array; each bot trades bench.pairs_each of them, in turn),
-- bench.risk_levels (a text array, in turn). Triggers sleep meanwhile: a million bots would fund themselves one by one.
set local session_replication_role = replica;

create temporary table person on commit drop as
select no, uuidv7() as id from generate_series(0, current_setting('bench.users')::integer - 1) as no;

-- Users make their bots in no particular order, a long time apart.
create temporary table robot on commit drop as
select bot.no, uuidv7() as id, person.id as user_id, uuidv7() as transfer_id,
       -- 10.00 to 1,000.00 dollars.
       (1000 + bot.no::bigint * 7919 % 99001) * 1000000 as invested,
       levels.list[1 + bot.no / cardinality(pairs.list) % cardinality(levels.list)] as risk_level,
       array(select pairs.list[1 + (bot.no + place) % cardinality(pairs.list)]
               from generate_series(0, current_setting('bench.pairs_each')::integer - 1) as place) as pairs
  from generate_series(0, current_setting('bench.bots')::integer - 1) as bot (no)
  join person on person.no = bot.no::bigint * 48271 % current_setting('bench.users')::integer,
       (select current_setting('bench.pairs')::text[] as list) as pairs,
       (select current_setting('bench.risk_levels')::text[] as list) as levels
 order by bot.no;

-- Everybody deposited what the bots took and 100 dollars more.
create temporary table deposit on commit drop as
select user_id, uuidv7() as transfer_id, 'pi_' || user_id as intent, sum(invested)::bigint as invested, sum(invested)::bigint + 10000000000 as amount
  from robot group by user_id;

insert into users (id, username, username_key, password, first_name, last_name)
select id, 'bench' || no, 'bench' || no, 'nobody signs in', 'Ben', 'Ch' from person;

insert into ledger_accounts (code, owner, asset, balance, may_be_negative)
select code, d.user_id, 'USD', case code when 'customer:cash' then d.amount - d.invested else 0 end, code = 'customer:receivable'
  from deposit d, unnest(array['customer:cash', 'customer:hold', 'customer:receivable']) as code;
update ledger_accounts a set balance = a.balance + d.invested
  from (select sum(invested)::bigint as invested from deposit) d where a.code = 'bots' and a.asset = 'USD';
update ledger_accounts a set balance = a.balance - d.amount
  from (select sum(amount)::bigint as amount from deposit) d where a.code = 'card:clearing';

insert into payment_intents (id, user_id, provider, amount, status, received, credited_at)
select intent, user_id, 'sandbox', amount, 'succeeded', amount, now() from deposit;
insert into ledger_transfers (id, kind, dedup_key, body_hash, user_id, event_time)
select transfer_id, 'deposit', 'deposit:' || intent, '', user_id, now() from deposit;
insert into ledger_entries (transfer_id, account_id, asset, amount)
select d.transfer_id, a.id, 'USD', case a.code when 'customer:cash' then d.amount else -d.amount end
  from deposit d join ledger_accounts a on a.owner = d.user_id and a.code = 'customer:cash' or a.code = 'card:clearing';
insert into transactions (id, user_id, type, amount, status, description, payment_intent_id, transfer_id)
select uuidv7(), user_id, 'deposit', amount, 'completed', 'Deposit by card', intent, transfer_id from deposit;

insert into trading_bots (id, user_id, name, risk_level, trading_pairs, invested, status, engine_status, market_start)
select id, user_id, 'Bench ' || no, risk_level, pairs, invested, 'following', 'following', now() from robot;
insert into ledger_transfers (id, kind, dedup_key, body_hash, user_id, event_time)
select transfer_id, 'bot-funded', 'bot:' || id || ':fund', '', user_id, now() from robot;
insert into ledger_entries (transfer_id, account_id, asset, amount)
select r.transfer_id, line.account_id, 'USD', line.sign * r.invested
  from robot r join ledger_accounts cash on cash.owner = r.user_id and cash.code = 'customer:cash'
  join ledger_accounts bots on bots.code = 'bots' and bots.asset = 'USD',
       lateral (values (cash.id, -1), (bots.id, 1)) as line (account_id, sign);
insert into transactions (id, user_id, type, amount, status, description, bot_id, transfer_id)
select uuidv7(), user_id, 'transfer', -invested, 'completed', 'Invested in bot Bench ' || no, id, transfer_id from robot;

-- As `splitInvestment` of the core: equal parts, the remainder to the first.
insert into bot_positions (user_id, bot_id, risk_level, engine_status, pair, cash)
select r.user_id, r.id, r.risk_level, 'following', sleeve.pair,
       r.invested / cardinality(r.pairs) + case sleeve.place when 1 then r.invested % cardinality(r.pairs) else 0 end
  from robot r, unnest(r.pairs) with ordinality as sleeve (pair, place);
