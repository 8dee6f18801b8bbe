import type { Check } from './reconcile-ledger.ts'

const HOLDINGS: Check[] = [
  {
    name: 'the units of a pool are its members’',
    statement: `
      select p.id::text as subject, 'pool has ' || p.units || ' units and its sleeves ' ||
             coalesce(s.units, 0) as finding
        from pools p left join (select pool, sum(units) as units from sleeves group by pool) s
             on s.pool = p.id
       where p.units <> coalesce(s.units, 0)`,
  },
  {
    name: 'what a pool holds is in its accounts',
    statement: `
      select p.id::text as subject,
             'pool holds ' || held.amount || ' ' || held.asset || ' and the ledger says ' ||
             coalesce(a.balance::text, 'nothing') as finding
        from pools p
       cross join lateral (values ('USD', p.cash), (split_part(p.pair, '/', 1), p.base))
             as held (asset, amount)
        left join ledger_accounts a on a.code = 'pool' and a.pool = p.id and a.asset = held.asset
       where a.balance is distinct from held.amount`,
  },
  {
    name: 'what bots hold outside of pools is in the control accounts',
    statement: `
      with held as (
        select 'USD' as asset, sum(cash + taken) as amount from sleeves
        union all select 'USD', sum(pending) from trading_bots
        union all select split_part(p.pair, '/', 1), sum(s.base) from sleeves s join pools p
              on p.id = s.pool group by 1),
      owned as (select asset, sum(amount) as amount from held group by asset)
      select c.asset as subject, 'bots own ' || coalesce(o.amount, 0) || ' and the ledger says ' ||
             c.balance || ' ' || c.asset as finding
        from ledger_control c left join owned o on o.asset = c.asset
       where c.code = 'bots' and c.balance <> coalesce(o.amount, 0)`,
  },
  {
    name: 'a sleeve is where its status says',
    statement: `
      select s.bot_id || ' ' || s.pool as subject,
             'is ' || s.status || ' with ' || s.units || ' units of which ' || s.leaving ||
             ' leave, ' || s.base || ' coins, cash ' || s.cash || ', joined at ' || s.joined
             as finding
        from sleeves s
       where (s.status in ('new', 'paused', 'out') and s.units > 0)
          or (s.status in ('new', 'joining', 'in', 'out') and s.base > 0)
          or (s.status = 'leaving' and s.leaving = 0 and s.base = 0)
          or (s.status = 'resuming' and s.base = 0)
          or ((s.units > 0) <> (s.joined > 0 and s.units > 0))`,
  },
  {
    name: 'a bot that is not changing holds only pools of its level and pairs',
    statement: `
      select s.bot_id || ' ' || s.pool as subject,
             'pool of ' || p.strategy || ' on ' || p.pair || ', bot of ' || b.strategy || ' on ' ||
             array_to_string(b.trading_pairs, ', ') as finding
        from sleeves s join pools p on p.id = s.pool join trading_bots b on b.user_id = s.user_id
         and b.id = s.bot_id
       where (p.strategy <> b.strategy or not p.pair = any(b.trading_pairs))
         and b.status in ('active', 'paused', 'stopped') and b.changing is null
         and (s.status <> 'out' or s.units + s.cash + s.taken + s.base > 0)`,
  },
  {
    name: 'every bot has a sleeve for each of its pairs',
    statement: `
      select b.id::text as subject,
             'has ' || count(s.pool) || ' sleeves for ' || cardinality(b.trading_pairs) || ' pairs'
             as finding
        from trading_bots b
        left join (sleeves s join pools p on p.id = s.pool) on s.user_id = b.user_id
         and s.bot_id = b.id and p.strategy = b.strategy and p.pair = any(b.trading_pairs)
       group by b.user_id, b.id having count(s.pool) <> cardinality(b.trading_pairs)`,
  },
  {
    name: 'a closed bot owns nothing',
    statement: `
      select b.id::text as subject, 'closed with ' || sum(s.cash + s.taken) || ' USD, ' ||
             sum(s.base) || ' coins and ' || sum(s.units) || ' units' as finding
        from trading_bots b join sleeves s on s.user_id = b.user_id and s.bot_id = b.id
       where b.status = 'closed' group by b.user_id, b.id having sum(s.cash) <> 0
          or sum(s.taken) <> 0 or sum(s.base) <> 0 or sum(s.units) <> 0`,
  },
]

const STOPS: Check[] = [
  {
    name: 'a bot is stopped while a stop of it is open',
    statement: `
      select b.id::text as subject, 'is ' || b.status || ' and has ' || count(o.at) || ' open stops'
             as finding
        from trading_bots b left join bot_stops o on o.user_id = b.user_id and o.bot_id = b.id
         and o.ended_at is null
       group by b.user_id, b.id
      having (b.status = 'stopped' and count(o.at) <> 1) or (b.status not in ('stopped', 'closing')
             and count(o.at) <> 0)`,
  },
  {
    name: 'a stopped bot that has sold everything holds nothing but cash',
    statement: `
      select s.bot_id || ' ' || s.pool as subject,
             'the bot is stopped and this sleeve is ' || s.status as finding
        from sleeves s join trading_bots b on b.user_id = s.user_id and b.id = s.bot_id
       where b.status = 'stopped' and b.engine_status = 'stopped' and b.is_synced
         and s.status not in ('leaving', 'out') and s.behind_bps is null`,
  },
]

const JOURNAL: Check[] = [
  {
    name: 'the changes of a pool follow one another',
    statement: `
      select p.id::text as subject,
             'has ' || count(c.number) || ' changes up to ' || coalesce(max(c.number),
             0) || ' and counts ' || p.changes as finding
        from pools p left join pool_changes c on c.pool = p.id
       group by p.id having count(c.number) <> p.changes
          or coalesce(max(c.number), 0) <> p.changes`,
  },
  {
    name: 'a pool is what its last change left',
    statement: `
      select p.id::text as subject, 'pool holds ' || p.cash || ' and ' || p.base || ' with ' ||
             p.units || ' units, its last change left '
             || coalesce(c.cash_after, 0) || ' and ' || coalesce(c.base_after,
             0) || ' with ' || coalesce(c.units_after, 0) as finding
        from pools p left join pool_changes c on c.pool = p.id and c.number = p.changes
       where (p.cash, p.base, p.units) is distinct
        from (coalesce(c.cash_after, 0), coalesce(c.base_after, 0), coalesce(c.units_after, 0))`,
  },
  {
    name: 'nobody gains by others who come or go: what a unit holds never falls by it',
    statement: `
      with step as (
        select c.*, lag(cash_after, 1, 0::bigint) over w as cash_before,
               lag(base_after, 1, 0::bigint) over w as base_before,
               lag(units_after, 1, 0::numeric) over w as units_before
          from pool_changes c window w as (partition by pool order by number))
      select pool || ' ' || number as subject,
             kind || ' took a unit from ' || cash_before || ' and ' || base_before || ' of ' ||
             units_before || ' to '
             || cash_after || ' and ' || base_after || ' of ' || units_after as finding
        from step
       where (kind in ('join', 'leave', 'pause') and units_before > 0 and units_after > 0
              and (cash_before * units_after > cash_after * units_before
                  or base_before * units_after > base_after * units_before))
          or (kind in ('trade', 'own', 'yield') and units_before <> units_after)
          or (kind = 'own' and (cash_before, base_before) <> (cash_after, base_after))
          or (kind = 'yield' and (cash_after - cash_before, base_after - base_before, weight)
             is distinct from (total, 0::bigint, units_after))
          or (kind = 'trade' and (cash_after - cash_before, base_after - base_before) is distinct
             from
              (case side when 'buy' then -total else total end, case side when 'buy' then quantity
              else -quantity end))`,
  },
  {
    name: 'units that were issued and redeemed are in somebody’s stay',
    statement: `
      with redeemed as (select pool, left_with as number, sum(redeemed) as units from sleeve_stays
           where joined < left_with group by 1, 2),
      step as (select c.*, lag(units_after, 1, 0::numeric) over (partition by pool
      order by number) - units_after as units from pool_changes c)
      select s.pool || ' ' || s.number as subject,
             s.kind || ' redeemed ' || s.units || ' units and the stays that it ended ' ||
             coalesce(r.units, 0) as finding
        from step s left join redeemed r on r.pool = s.pool and r.number = s.number
       where s.kind in ('leave', 'pause') and s.units <> coalesce(r.units, 0)`,
  },
  {
    name: 'the stays of a sleeve do not overlap',
    statement: `
      with stay as (
        select user_id, bot_id, pool, joined, left_with from sleeve_stays where joined < left_with
        union all select user_id, bot_id, pool, joined, null from sleeves where units > 0)
      select bot_id || ' ' || pool as subject,
             'a stay began at ' || joined || ' and the one before ended at ' || before as finding
        from (select *, lag(coalesce(left_with, 9223372036854775807)) over (partition by user_id,
             bot_id, pool order by joined) as before from stay) s
       where joined < before`,
  },
  {
    name: 'a stay is of a sleeve',
    statement: `
      select distinct y.bot_id || ' ' || y.pool as subject, 'has stays and no sleeve' as finding
        from sleeve_stays y where not exists (select 1 from sleeves s
             where (s.user_id, s.bot_id, s.pool) = (y.user_id, y.bot_id, y.pool))`,
  },
  {
    name: 'a stay begins and ends with changes of its pool',
    statement: `
      with stay as materialized (
        select bot_id, pool, joined, left_with from sleeve_stays
        union all select bot_id, pool, joined, joined from sleeves where joined > 0)
      select y.bot_id || ' ' || y.pool as subject,
             'a stay joined with ' || y.joined || ' and left with ' || y.left_with ||
             ', which are not both changes of the pool' as finding
        from stay y left join pool_changes b on b.pool = y.pool and b.number = y.joined
        left join pool_changes e on e.pool = y.pool and e.number = y.left_with
       where b.number is null or e.number is null`,
  },
  {
    name: 'the fill of a block is its parties’ changes',
    statement: `
      with shared as (select block_id, sum(quantity) as quantity, sum(total) as total
           from pool_changes where block_id is not null group by 1)
      select k.id::text as subject,
             k.side || ' of ' || k.fill_quantity || ' for ' || k.fill_notional || ' with a fee of '
             || k.fill_fee
             || ', its parties have ' || coalesce(s.quantity, 0) || ' for ' || coalesce(s.total, 0)
             as finding
        from engine_blocks k left join shared s on s.block_id = k.id
       where k.state = 'settled'
         and (case k.side when 'buy' then k.fill_quantity - coalesce(s.quantity, 0)
             else coalesce(s.quantity, 0) - k.fill_quantity end
                not between 0 and jsonb_array_length(k.parties)
           or case k.side when 'buy' then coalesce(s.total, 0) - k.fill_notional - k.fill_fee
              else k.fill_notional - k.fill_fee - coalesce(s.total, 0) end
                not between 0 and jsonb_array_length(k.parties))`,
  },
  {
    name: 'every change with an order belongs to a settled block of its pair',
    statement: `
      select c.pool || ' ' || c.number as subject,
             'its block is ' || coalesce(k.state || ' on ' || k.pair, 'gone') as finding
        from pool_changes c join pools p on p.id = c.pool left join engine_blocks k
             on k.id = c.block_id
       where c.block_id is not null and (k.state is distinct from 'settled' or k.pair <> p.pair
             or k.side <> c.side)`,
  },
]

const INTEREST: Check[] = [
  {
    name: 'the interest of a midnight is what pools received, and what the ledger paid',
    statement: `
      with received as (select market_time as midnight, sum(total) as amount from pool_changes
           where kind = 'yield' group by 1),
      paid as (
        select t.event_time as midnight, sum(e.amount) as amount
          from ledger_transfers t left join ledger_entries e on e.user_id = t.user_id
           and e.transfer_id = t.id and e.amount > 0
         where t.kind = 'interest-paid' group by 1)
      select coalesce(y.midnight, r.midnight, p.midnight)::text as subject,
             'interest is ' || coalesce(y.amount, 0) || ', pools received ' || coalesce(r.amount,
             0) || ' and the ledger paid ' || coalesce(p.amount, 0) as finding
        from cash_yields y full join received r using (midnight) full join paid p using (midnight)
       where coalesce(y.amount, 0) <> coalesce(r.amount, 0)
          or coalesce(y.amount, 0) <> coalesce(p.amount, 0)`,
  },
  {
    name: 'interest is its day of the rate on the cash before it, floored',
    statement: `
      with step as (
        select c.*, lag(cash_after, 1, 0::bigint) over (partition by pool
               order by number) as cash_before from pool_changes c)
      select s.pool || ' ' || s.number as subject,
             'interest of ' || s.total || ' on ' || s.cash_before || ' at ' || coalesce(y.rate_bps,
             0) || ' basis points a year' as finding
        from step s left join cash_yields y on y.midnight = s.market_time
       where s.kind = 'yield' and s.total <> div(s.cash_before::numeric * coalesce(y.rate_bps, 0),
             3650000)`,
  },
]

/** Invariants between pools, their journal, their members and the ledger. */
export const POOLS: readonly Check[] = [...HOLDINGS, ...STOPS, ...JOURNAL, ...INTEREST]
