create table trading_bots (
  user_id uuid not null constraint trading_bots_user references users, id uuid not null,
  name text not null, risk_level text not null constraint trading_bots_risk_level
    check (risk_level in ('conservative', 'moderate', 'aggressive')),
  -- The strategy of its pools. A bot that holds has all its money in coins: the aggressive level.
  strategy text not null constraint trading_bots_strategy
    check (strategy in ('trend-' || risk_level, 'balanced-' || risk_level)
           or (strategy = 'hold' and risk_level = 'aggressive')),
  -- Platform fee, in basis points of profit taken out: as it was when the bot was created.
  fee_bps integer not null default 1500
    constraint trading_bots_fee check (fee_bps between 0 and 1500),
  trading_pairs text[] not null,
  -- Money put in, less the part of it taken out.
  invested bigint not null constraint trading_bots_invested check (invested >= 0),
  -- What its owner wants. active: trades; paused: keeps its holdings; closing: sells, then returns
  -- the money. stopped: a guard sold its coins, and it keeps the money until it begins again.
  status text not null default 'active' constraint trading_bots_status
    check (status in ('active', 'paused', 'stopped', 'closing', 'closed')),
  -- Money put in that its sleeves have not taken yet, and the part being taken out.
  pending bigint not null default 0 constraint trading_bots_pending check (pending >= 0),
  taking_bps integer constraint trading_bots_taking check (taking_bps between 1 and 9999),
  -- What the engine has adopted of both. It updates sleeves only between two blocks.
  -- taking_invested: once some of that part is paid, the investment behind the rest of it.
  engine_status text, engine_taking_bps integer, taking_invested bigint,
  created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  closed_at timestamptz, market_start timestamptz not null, -- Market time: the curve's origin.
  -- The number of pairs before a change of them or of the risk level, until the money of what it no
  -- longer wants has moved; and what the engine has adopted of it.
  changing smallint constraint trading_bots_changing check (changing > 0), engine_changing smallint,
  -- A stored column, so that the planner has statistics: few bots are not synced.
  is_synced boolean not null generated always as (engine_status is not distinct from status
    and engine_taking_bps is not distinct from taking_bps
    and engine_changing is not distinct from changing and pending = 0) stored,
  first_trade_reported boolean not null default false, -- Its owner knows of its first trade.
  -- The part being taken out was asked for by the bot's plan, which its row of the history says.
  is_taken_by_plan boolean not null default false, primary key (user_id, id),
  constraint trading_bots_pending_open check (pending = 0 or status <> 'closed'),
  constraint trading_bots_one_move
    check (changing is null or (taking_bps is null and status = 'active')),
  constraint trading_bots_taken_by_plan check (not is_taken_by_plan or taking_bps is not null)
);
create index trading_bots_unsynced on trading_bots (id) where not is_synced;
-- Bots whose money returns: closing, or with a part being taken out.
create index trading_bots_returning on trading_bots (id)
  where engine_status = 'closing' or engine_taking_bps is not null;
create index trading_bots_changes on trading_bots (id) where engine_changing is not null;
create index trading_bots_first_trade on trading_bots (id) where not first_trade_reported;

-- A bot's units of one pool, and its own cash and coins on that pair.
create table sleeves (
  user_id uuid not null, bot_id uuid not null,
  pool smallint not null constraint sleeves_pool references pools,
  -- Its life is told in src/core/pool/sleeve-steps.ts.
  status text not null default 'new' constraint sleeves_status
    check (status in ('new', 'joining', 'in', 'leaving', 'pausing', 'paused', 'resuming', 'out')),
  -- Own cash that waits, is idle or left over, and own coins of a paused sleeve.
  cash bigint not null constraint sleeves_cash check (cash >= 0),
  base bigint not null default 0 constraint sleeves_base check (base >= 0),
  units numeric(38, 0) not null default 0
    constraint sleeves_units check (units >= 0 and units < 1e38),
  -- Units that leave, all unless a part is taken out; and what that part brought, until it is paid.
  leaving numeric(38, 0) not null default 0
    constraint sleeves_leaving check (leaving >= 0 and leaving <= units),
  taken bigint not null default 0 constraint sleeves_taken check (taken >= 0),
  -- While an order of its pool is unknown: the part that is to leave then, after its bot's wish.
  behind_bps integer constraint sleeves_behind check (behind_bps between 0 and 10000),
  -- Its stay: the pool's change that began it, its weight there, what it paid in cash and coins.
  joined bigint not null default 0, offered bigint not null default 0,
  paid bigint not null default 0, paid_base bigint not null default 0,
  primary key (user_id, bot_id, pool),
  constraint sleeves_bot foreign key (user_id, bot_id) references trading_bots,
  constraint sleeves_leaving_status check (leaving = 0 or status = 'leaving'),
  constraint sleeves_staying check (units > 0 or status <> 'pausing')
) with (fillfactor = 70);
create index sleeves_moving on sleeves (pool, status)
  where status in ('joining', 'leaving', 'pausing', 'resuming');
create index sleeves_behind on sleeves (pool) where behind_bps is not null;

-- Ended stays of a sleeve: the numbers between which it was in the pool with so many units. One
-- that joins again, or leaves in part, begins the next. Stays of no length: own coins that were
-- sold, and an order that cost cash and brought no coins. A foreign key would lock the sleeve again
-- for each row, half the time of a lot that leaves: reconcile checks it instead.
create table sleeve_stays (
  user_id uuid not null, bot_id uuid not null, pool smallint not null, joined bigint not null,
  left_with bigint not null, units numeric(38, 0) not null,
  -- Its weights in the changes that began and ended it; 0 if it took no part in their order.
  offered bigint not null, redeemed numeric(38, 0) not null,
  paid bigint not null, paid_base bigint not null, cash_out bigint not null,
  base_out bigint not null, -- Below 0: own coins sold.
  primary key (user_id, bot_id, pool, joined),
  constraint sleeve_stays_length
    check ((joined < left_with and units > 0) or (joined = left_with and units = 0))
);

-- Platform fees: one row each time money leaves a bot with a profit.
create table platform_fees (
  user_id uuid not null, bot_id uuid not null, id uuid not null,
  user_profit bigint not null constraint platform_fees_profit check (user_profit > 0),
  fee_amount bigint not null constraint platform_fees_amount check (fee_amount >= 0),
  fee_bps integer not null default 1500,
  trade uuid, -- The last pool change that the money came from.
  created_at timestamptz not null default now(), primary key (user_id, bot_id, id),
  constraint platform_fees_bot foreign key (user_id, bot_id) references trading_bots,
  constraint platform_fees_trade foreign key (trade) references pool_changes (id)
);

-- Guards of a bot, and the marks that its worth is compared with (src/core/guards/guard.ts).
create table bot_guards (
  user_id uuid not null, bot_id uuid not null,
  -- In basis points and days.
  stop_loss_bps integer constraint bot_guards_stop_loss check (stop_loss_bps between 100 and 9000),
  stop_loss_from text not null
    constraint bot_guards_stop_loss_from check (stop_loss_from in ('invested', 'best')),
  take_profit_bps integer
    constraint bot_guards_take_profit check (take_profit_bps between 100 and 100000),
  daily_loss_bps integer
    constraint bot_guards_daily_loss check (daily_loss_bps between 100 and 5000),
  cool_down_days integer constraint bot_guards_cool_down check (cool_down_days between 1 and 365),
  -- Its marks: the money put in or the worth with which it began again, its best worth, and that
  -- at the begin of a market day (days since 1970).
  start bigint not null constraint bot_guards_start check (start >= 0),
  best bigint not null constraint bot_guards_best check (best >= 0),
  day_start bigint not null constraint bot_guards_day_start check (day_start >= 0),
  day integer not null,
  revision bigint not null default 0, -- Raised by its owner: the engine overwrites no change.
  primary key (user_id, bot_id),
  constraint bot_guards_bot foreign key (user_id, bot_id) references trading_bots,
  constraint bot_guards_any check (num_nonnulls(stop_loss_bps, take_profit_bps, daily_loss_bps) > 0)
) with (fillfactor = 70);

-- The stops of bots by their guards, in market time.
create table bot_stops (
  user_id uuid not null, bot_id uuid not null, at timestamptz not null,
  guard text not null constraint bot_stops_guard
    check (guard in ('stop-loss', 'trailing-stop', 'take-profit', 'daily-loss')),
  change_bps integer not null, -- Of its worth since the mark of this guard, floored.
  back_at timestamptz, -- When it begins again by itself; null if it waits for its owner.
  ended_at timestamptz, primary key (user_id, bot_id, at),
  constraint bot_stops_bot foreign key (user_id, bot_id) references trading_bots,
  constraint bot_stops_order check (back_at > at and ended_at >= at)
);
create unique index bot_stops_open on bot_stops (user_id, bot_id) where ended_at is null;
create index bot_stops_back on bot_stops (back_at) where ended_at is null and back_at is not null;

-- Bots that a key for programs made, and the money that it put in: what its limits count.
create table program_key_bots (
  user_id uuid not null, key_id uuid not null, bot_id uuid not null, amount bigint not null,
  created_at timestamptz not null default now(), primary key (user_id, bot_id),
  constraint program_key_bots_key foreign key (user_id, key_id) references program_keys
    on delete cascade,
  constraint program_key_bots_bot foreign key (user_id, bot_id) references trading_bots
);
create index program_key_bots_of_key on program_key_bots (user_id, key_id);

-- A sum that goes into a bot every week or month, in market time, until it is ended.
create table bot_plans (
  user_id uuid not null, bot_id uuid not null,
  id uuid not null, -- Names the plan in its runs: one set later for the same bot is another.
  amount bigint not null constraint bot_plans_amount check (amount > 0),
  every text not null constraint bot_plans_every check (every in ('week', 'month')),
  -- Worth of the bot above which the part above it is taken out instead; null without such a line.
  line bigint constraint bot_plans_line check (line > 0),
  -- The beginning of period 0, from which all others follow; the next period, and its beginning.
  start_at timestamptz not null,
  period integer not null constraint bot_plans_period check (period >= 0),
  due_at timestamptz not null,
  is_short boolean not null default false, -- The last period found too little cash.
  created_at timestamptz not null default now(), primary key (user_id, bot_id),
  constraint bot_plans_bot foreign key (user_id, bot_id) references trading_bots
);
create index bot_plans_due on bot_plans (due_at);

-- Every period that was served, so that none is served twice. added: the sum went into the bot ·
-- taken: the part above the line is taken out · short: too little cash, and nothing moved.
create table bot_plan_runs (
  user_id uuid not null, bot_id uuid not null, plan_id uuid not null, period integer not null,
  outcome text not null
    constraint bot_plan_runs_outcome check (outcome in ('added', 'taken', 'short')),
  amount bigint not null, taking_bps integer, transfer_id uuid, market_time timestamptz not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (user_id, bot_id, plan_id, period),
  constraint bot_plan_runs_bot foreign key (user_id, bot_id) references trading_bots,
  constraint bot_plan_runs_transfer foreign key (user_id, transfer_id) references ledger_transfers,
  constraint bot_plan_runs_added check ((outcome = 'added') = (transfer_id is not null)),
  constraint bot_plan_runs_taken check ((outcome = 'taken') = (taking_bps is not null))
);

-- Assets of each user across all bots, for direct readers of the database.
create view wallets as
select user_id, currency, (sum(amount) / 100000000)::numeric(16, 8) as balance
  from (select s.user_id, split_part(p.pair, '/', 1) as currency,
               s.base + case when s.units > 0 then div(s.units * p.base, p.units) else 0 end
                 as amount
          from sleeves s join pools p on p.id = s.pool
         union all
        select s.user_id, 'USD', s.cash + s.taken
               + case when s.units > 0 then div(s.units * p.cash, p.units) else 0 end
          from sleeves s join pools p on p.id = s.pool
         union all
        select user_id, 'USD', pending from trading_bots where pending > 0) as holdings
 group by user_id, currency having sum(amount) > 0;
