-- The common holdings of all bots of one strategy and pair, counted in units. 1 unit is 10⁻¹² of the dollar that founded the pool; a large
-- pool after a fall has 26 digits, too many for a bigint. 'NaN' is a numeric above every number, hence the upper bound.
create table pools (
  id smallint constraint pools_pkey primary key,
  -- What decides for the pool: a kind of bot and a risk level.
  strategy text not null constraint pools_strategy check (strategy in
    ('trend-conservative', 'trend-moderate', 'trend-aggressive', 'hold', 'balanced-conservative', 'balanced-moderate', 'balanced-aggressive')),
  pair text not null,
  cash bigint not null default 0 constraint pools_cash check (cash >= 0),
  base bigint not null default 0 constraint pools_base check (base >= 0),
  units numeric(38, 0) not null default 0 constraint pools_units check (units >= 0 and units < 1e38),
  -- Exposure last traded to, in basis points; the actual one once prices have moved a balanced pool out of its band.
  applied_bps integer not null default 0 constraint pools_applied check (applied_bps between 0 and 10000),
  -- Number of its last change.
  changes bigint not null default 0,
  constraint pools_unique unique (pair, strategy),
  constraint pools_nothing_without_units check (units > 0 or (cash = 0 and base = 0 and applied_bps = 0))
) with (fillfactor = 20);

insert into pools (id, strategy, pair)
select (7 * (asset_rank - 1) + strategy_rank)::smallint, strategy, asset || '/USDT'
  from unnest(array['BTC', 'ETH', 'ADA', 'DOT', 'SOL', 'AVAX', 'POL', 'LINK', 'UNI', 'LTC', 'XRP', 'BNB']) with ordinality as asset (asset, asset_rank),
       unnest(array['trend-conservative', 'trend-moderate', 'trend-aggressive', 'hold', 'balanced-conservative', 'balanced-moderate', 'balanced-aggressive'])
         with ordinality as strategy (strategy, strategy_rank);

-- A pool's money and coins are accounts of the house.
alter table ledger_accounts add constraint ledger_accounts_pool foreign key (pool) references pools;
insert into ledger_accounts (user_id, code, asset, pool, may_be_negative)
select '00000000-0000-0000-0000-000000000000', 'pool', asset, id, false
  from pools, unnest(array['USD', split_part(pair, '/', 1)]) as asset;

-- The journal of blocks, each one order for many pools and lots: planned, then settled; finished exactly once after a crash.
create table engine_blocks (
  id uuid constraint engine_blocks_pkey primary key,
  pair text not null,
  side text not null constraint engine_blocks_side check (side in ('buy', 'sell')),
  state text not null default 'planned' constraint engine_blocks_state check (state in ('planned', 'settled')),
  -- Price at which the order was sized, and the sum of all parties’ quantities in base units.
  price bigint not null,
  order_quantity bigint not null constraint engine_blocks_order_quantity check (order_quantity > 0),
  -- The parties that share the fill, fixed at planning: for each pool the strategy's order, the joining lot, the leaving lot, own coins.
  parties jsonb not null,
  -- 'house': a leaving lot below the exchange's minimum, which the house takes over at the market's price.
  filled_by text not null default 'venue' constraint engine_blocks_filled_by check (filled_by in ('venue', 'house')),
  market_time timestamptz not null,
  planned_at timestamptz not null default clock_timestamp(),
  fill_quantity bigint,
  fill_price bigint,
  fill_notional bigint,
  fill_fee bigint,
  settled_at timestamptz,
  constraint engine_blocks_filled check ((state = 'settled')
    = (fill_quantity is not null and fill_price is not null and fill_notional is not null and fill_fee is not null and settled_at is not null))
);
create index engine_blocks_unsettled on engine_blocks (id) where state <> 'settled';

-- An order at a real exchange, written before it is sent: if the response is lost, the order is looked up by this id and never sent blindly
-- again. sent: outcome unknown; done: outcome known; dead: never executed, and it no longer can be.
create table venue_orders (
  -- Our own order id there: the block's.
  id uuid constraint venue_orders_pkey primary key,
  block_id uuid not null constraint venue_orders_block references engine_blocks,
  quantity bigint not null constraint venue_orders_quantity check (quantity > 0),
  limit_price bigint not null constraint venue_orders_limit check (limit_price > 0),
  state text not null default 'sent' constraint venue_orders_state check (state in ('sent', 'done', 'dead')),
  sent_at timestamptz not null,
  executed bigint not null default 0 constraint venue_orders_executed check (executed >= 0 and executed <= quantity),
  notional bigint not null default 0,
  fee bigint not null default 0,
  -- The exchange's reason why nothing, or only a part, was executed.
  reason text,
  -- A block is sent once. The remainder becomes another block.
  constraint venue_orders_once unique (block_id)
);

-- The last nonce of a signed request at the exchange, stored before use, so that the next one is greater in any process, after a restart and
-- on a clock that was set back. A new key may start at any nonce, so one row serves all keys.
create table exchange_nonce (
  only_row boolean constraint exchange_nonce_pkey primary key default true constraint exchange_nonce_only_row check (only_row),
  last bigint not null
);

-- The numbered, append-only journal of pools. Trades of bots are derived from it: a member's part of a change is its weight divided by the
-- weight of all.
create table pool_changes (
  pool smallint not null constraint pool_changes_pool references pools,
  number bigint not null constraint pool_changes_number check (number > 0),
  -- UUIDv7: orders it in the users' histories.
  id uuid not null constraint pool_changes_id unique,
  -- trade: the strategy's order · join: a lot came in · leave: a lot went out · pause: members took their part in kind · own: coins that
  -- members held outside of the pool were sold beside it, the pool itself unchanged.
  kind text not null constraint pool_changes_kind check (kind in ('trade', 'join', 'leave', 'pause', 'own')),
  -- Null without an order.
  block_id uuid constraint pool_changes_block references engine_blocks,
  side text constraint pool_changes_side check (side in ('buy', 'sell')),
  -- Its share of the block: base traded, its price, money paid or received with the venue's fee, and that fee. 0 without an order.
  quantity bigint not null default 0 constraint pool_changes_quantity check (quantity >= 0),
  price bigint not null default 0,
  total bigint not null default 0,
  fee bigint not null default 0,
  -- Weight of all who took part: a trade the pool's units, a join what was offered, a leave or pause the units redeemed, own the coins sold.
  weight numeric(38, 0) not null constraint pool_changes_weight check (weight > 0 and weight < 1e38),
  members integer not null default 0,
  cash_after bigint not null,
  base_after bigint not null,
  units_after numeric(38, 0) not null,
  reason text not null,
  market_time timestamptz not null,
  created_at timestamptz not null default clock_timestamp(),
  constraint pool_changes_pkey primary key (pool, number),
  constraint pool_changes_order check ((block_id is null) = (side is null) and (block_id is not null or (quantity = 0 and total = 0 and fee = 0)))
);
-- For members' histories: the strategy's trades, which all members share. Their joins and leaves are found by number.
create index pool_changes_trades on pool_changes (pool, id) where kind = 'trade';
create trigger pool_changes_append_only before update or delete or truncate on pool_changes
  for each statement execute function ledger_refuse_change();

create table trading_bots (
  user_id uuid not null constraint trading_bots_user references users,
  id uuid not null,
  name text not null,
  risk_level text not null constraint trading_bots_risk_level check (risk_level in ('conservative', 'moderate', 'aggressive')),
  -- The strategy of its pools. A bot that holds has all its money in coins, which is the aggressive level.
  strategy text not null constraint trading_bots_strategy check
    (strategy in ('trend-' || risk_level, 'balanced-' || risk_level) or (strategy = 'hold' and risk_level = 'aggressive')),
  -- Platform fee, in basis points of profit taken out: as it was when the bot was created.
  fee_bps integer not null default 1500 constraint trading_bots_fee check (fee_bps between 0 and 1500),
  trading_pairs text[] not null,
  -- Money put in, less the part of it taken out.
  invested bigint not null constraint trading_bots_invested check (invested >= 0),
  -- What its owner wants. active: trades; paused: keeps its holdings; closing: sells, then returns the money.
  status text not null default 'active' constraint trading_bots_status check (status in ('active', 'paused', 'closing', 'closed')),
  -- Money put in that its sleeves have not taken yet, and the part being taken out, in basis points.
  pending bigint not null default 0 constraint trading_bots_pending check (pending >= 0),
  taking_bps integer constraint trading_bots_taking check (taking_bps between 1 and 9999),
  -- What the engine has adopted of both. It updates sleeves only between two blocks.
  engine_status text,
  engine_taking_bps integer,
  -- A stored column, so that the planner has statistics: few bots are not synced.
  is_synced boolean not null generated always as (engine_status is not distinct from status and engine_taking_bps is not distinct from taking_bps and pending = 0) stored,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  closed_at timestamptz,
  -- Market time at which the bot began: the origin of its curve.
  market_start timestamptz not null,
  constraint trading_bots_pkey primary key (user_id, id),
  constraint trading_bots_pending_open check (pending = 0 or status <> 'closed')
);
create index trading_bots_unsynced on trading_bots (id) where not is_synced;
-- Bots whose money returns: closing, or with a part being taken out.
create index trading_bots_returning on trading_bots (id) where engine_status = 'closing' or engine_taking_bps is not null;
create trigger trading_bots_kept before delete or truncate on trading_bots
  for each statement execute function ledger_refuse_change();

-- A bot's units of one pool, and its own cash and coins on that pair.
create table sleeves (
  user_id uuid not null,
  bot_id uuid not null,
  pool smallint not null constraint sleeves_pool references pools,
  -- new: the engine has not met it · joining: its cash waits for the pool · in · leaving: its units, or its own coins, are to be sold ·
  -- pausing · paused: holds what it had, in kind · resuming: what it holds goes back into the pool · out: nothing is left but cash.
  status text not null default 'new' constraint sleeves_status check (status in ('new', 'joining', 'in', 'leaving', 'pausing', 'paused', 'resuming', 'out')),
  -- Own cash that waits, is idle or left over, and own coins of a paused sleeve.
  cash bigint not null constraint sleeves_cash check (cash >= 0),
  base bigint not null default 0 constraint sleeves_base check (base >= 0),
  units numeric(38, 0) not null default 0 constraint sleeves_units check (units >= 0 and units < 1e38),
  -- Units that leave, all of them unless a part is taken out; and the proceeds of that part, until they are paid.
  leaving numeric(38, 0) not null default 0 constraint sleeves_leaving check (leaving >= 0 and leaving <= units),
  taken bigint not null default 0 constraint sleeves_taken check (taken >= 0),
  -- Its stay: the change of the pool that began it, its weight there, and what it paid into the pool and its lot, in cash and coins.
  joined bigint not null default 0,
  offered bigint not null default 0,
  paid bigint not null default 0,
  paid_base bigint not null default 0,
  constraint sleeves_pkey primary key (user_id, bot_id, pool),
  constraint sleeves_bot foreign key (user_id, bot_id) references trading_bots,
  constraint sleeves_leaving_status check (leaving = 0 or status = 'leaving'),
  constraint sleeves_staying check (units > 0 or status <> 'pausing')
) with (fillfactor = 70);
create trigger sleeves_kept before delete or truncate on sleeves
  for each statement execute function ledger_refuse_change();
create index sleeves_moving on sleeves (pool, status) where status in ('joining', 'leaving', 'pausing', 'resuming');

-- Ended stays of a sleeve, append-only: the numbers between which it was in the pool with so many units. One that joins again, or leaves
-- in part, ends a stay and begins the next. Stays of no length: own coins that were sold, and an order that cost cash and brought no coins.
-- Each row is copied from its sleeve, which is never deleted: a foreign key would lock that sleeve again for each row, half the time of a
-- lot that leaves. Reconcile checks it instead.
create table sleeve_stays (
  user_id uuid not null,
  bot_id uuid not null,
  pool smallint not null,
  joined bigint not null,
  left_with bigint not null,
  units numeric(38, 0) not null,
  -- Its weights in the changes that began and ended it; 0 if it took no part in that change's order.
  offered bigint not null,
  redeemed numeric(38, 0) not null,
  paid bigint not null,
  paid_base bigint not null,
  cash_out bigint not null,
  -- Below 0: own coins sold.
  base_out bigint not null,
  constraint sleeve_stays_pkey primary key (user_id, bot_id, pool, joined),
  constraint sleeve_stays_length check ((joined < left_with and units > 0) or (joined = left_with and units = 0))
);
create trigger sleeve_stays_append_only before update or delete or truncate on sleeve_stays
  for each statement execute function ledger_refuse_change();

-- Platform fees: one row each time money leaves a bot with a profit.
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
  constraint platform_fees_pkey primary key (user_id, bot_id, id),
  constraint platform_fees_bot foreign key (user_id, bot_id) references trading_bots,
  constraint platform_fees_trade foreign key (trade) references pool_changes (id)
);
create trigger platform_fees_append_only before update or delete or truncate on platform_fees
  for each statement execute function ledger_refuse_change();

-- What each user owns across all bots, by asset: the `wallets` of the specification, for direct readers of the database.
create view wallets as
select user_id, currency, (sum(amount) / 100000000)::numeric(16, 8) as balance
  from (select s.user_id, split_part(p.pair, '/', 1) as currency, s.base + case when s.units > 0 then div(s.units * p.base, p.units) else 0 end as amount
          from sleeves s join pools p on p.id = s.pool
        union all
        select s.user_id, 'USD', s.cash + s.taken + case when s.units > 0 then div(s.units * p.cash, p.units) else 0 end
          from sleeves s join pools p on p.id = s.pool
        union all
        select user_id, 'USD', pending from trading_bots where pending > 0) as holdings
 group by user_id, currency
having sum(amount) > 0;
