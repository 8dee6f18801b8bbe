-- The common holdings of all bots of one strategy and pair, in units of 10⁻¹² of the dollar that
-- founded the pool: up to 26 digits, too many for a bigint. NaN is above any number, hence 1e38.
create table pools (
  id smallint primary key, strategy text not null constraint pools_strategy
    check (strategy in ('trend-conservative', 'trend-moderate', 'trend-aggressive', 'hold',
                        'balanced-conservative', 'balanced-moderate', 'balanced-aggressive')),
  pair text not null, cash bigint not null default 0 constraint pools_cash check (cash >= 0),
  base bigint not null default 0 constraint pools_base check (base >= 0),
  units numeric(38, 0) not null default 0
    constraint pools_units check (units >= 0 and units < 1e38),
  -- Exposure last traded to; the actual one once prices moved a balanced pool out of its band.
  applied_bps integer not null default 0
    constraint pools_applied check (applied_bps between 0 and 10000),
  changes bigint not null default 0, -- Number of its last change.
  constraint pools_unique unique (pair, strategy),
  constraint pools_nothing_without_units
    check (units > 0 or (cash = 0 and base = 0 and applied_bps = 0))
) with (fillfactor = 20);

insert into pools (id, strategy, pair)
select (7 * (asset_rank - 1) + strategy_rank)::smallint, strategy, asset || '/USDT'
  from unnest(array['BTC', 'ETH', 'ADA', 'DOT', 'SOL', 'AVAX', 'POL', 'LINK', 'UNI', 'LTC', 'XRP',
                    'BNB']) with ordinality as asset (asset, asset_rank),
       unnest(array['trend-conservative', 'trend-moderate', 'trend-aggressive', 'hold',
                    'balanced-conservative', 'balanced-moderate', 'balanced-aggressive'])
         with ordinality as strategy (strategy, strategy_rank);

-- A pool's money and coins are accounts of the house.
alter table ledger_accounts add constraint ledger_accounts_pool foreign key (pool) references pools;
insert into ledger_accounts (user_id, code, asset, pool, may_be_negative)
select '00000000-0000-0000-0000-000000000000', 'pool', asset, id, false
  from pools, unnest(array['USD', split_part(pair, '/', 1)]) as asset;

-- Blocks, each one order for many pools and lots: planned, then settled exactly once.
create table engine_blocks (
  id uuid primary key, pair text not null,
  side text not null constraint engine_blocks_side check (side in ('buy', 'sell')),
  state text not null default 'planned'
    constraint engine_blocks_state check (state in ('planned', 'settled')),
  -- Price at which the order was sized, and the sum of all parties’ quantities in base units.
  price bigint not null,
  order_quantity bigint not null constraint engine_blocks_order_quantity check (order_quantity > 0),
  -- They share the fill, for each pool: the strategy's order, joining lot, leaving lot, own coins.
  parties jsonb not null,
  -- 'house': a lot below the exchange's minimum, at the market's price; 'operator': of a dead pair.
  filled_by text not null default 'venue'
    constraint engine_blocks_filled_by check (filled_by in ('venue', 'house', 'operator')),
  market_time timestamptz not null, planned_at timestamptz not null default clock_timestamp(),
  fill_quantity bigint, fill_price bigint, fill_notional bigint, fill_fee bigint,
  settled_at timestamptz,
  constraint engine_blocks_filled check ((state = 'settled')
    = (fill_quantity is not null and fill_price is not null and fill_notional is not null
       and fill_fee is not null and settled_at is not null))
);
create index engine_blocks_unsettled on engine_blocks (id) where state <> 'settled';

-- An order at a real exchange, written before it is sent: after a lost response it is looked up by
-- this id and not sent again. sent: outcome unknown; done: known; dead: can no longer be executed.
create table venue_orders (
  id uuid primary key, -- Our own order id there: the block's.
  block_id uuid not null constraint venue_orders_block references engine_blocks,
  quantity bigint not null constraint venue_orders_quantity check (quantity > 0),
  limit_price bigint not null constraint venue_orders_limit check (limit_price > 0),
  state text not null default 'sent'
    constraint venue_orders_state check (state in ('sent', 'done', 'dead')),
  sent_at timestamptz not null, executed bigint not null default 0
    constraint venue_orders_executed check (executed >= 0 and executed <= quantity),
  notional bigint not null default 0, fee bigint not null default 0,
  house_fees jsonb not null default '{}', is_full boolean not null default false,
  reason text, -- The exchange's reason why nothing, or only a part, was executed.
  constraint venue_orders_once unique (block_id) -- The remainder becomes another block.
);

-- The numbered journal of pools. Trades of bots are derived from it: a member's part of a change is
-- its weight divided by the weight of all.
create table pool_changes (
  pool smallint not null constraint pool_changes_pool references pools,
  number bigint not null constraint pool_changes_number check (number > 0),
  id uuid not null constraint pool_changes_id unique, -- UUIDv7: orders it in the users' histories.
  -- trade: the strategy's order · join: a lot came in · leave: a lot went out · pause: members took
  -- their part in kind · own: coins that members held outside of the pool were sold beside it, the
  -- pool itself unchanged · yield: interest on the cash of the pool, whose units stay.
  kind text not null constraint pool_changes_kind
    check (kind in ('trade', 'join', 'leave', 'pause', 'own', 'yield')),
  block_id uuid constraint pool_changes_block references engine_blocks, -- Null without an order.
  side text constraint pool_changes_side check (side in ('buy', 'sell')),
  -- Its share of the block: base traded, its price, money paid or received with the venue's fee,
  -- and that fee. 0 without an order, but for the total of a yield, the interest.
  quantity bigint not null default 0 constraint pool_changes_quantity check (quantity >= 0),
  price bigint not null default 0, total bigint not null default 0, fee bigint not null default 0,
  -- Weight of all who took part: a trade or a yield the pool's units, a join what was offered, a
  -- leave or pause the units redeemed, own the coins sold.
  weight numeric(38, 0) not null
    constraint pool_changes_weight check (weight > 0 and weight < 1e38),
  members integer not null default 0, cash_after bigint not null, base_after bigint not null,
  units_after numeric(38, 0) not null, reason jsonb not null, -- Code and values of a sentence.
  market_time timestamptz not null,
  created_at timestamptz not null default clock_timestamp(), primary key (pool, number),
  constraint pool_changes_order check ((block_id is null) = (side is null) and (block_id is not null
    or (quantity = 0 and fee = 0 and (total = 0 or (kind = 'yield' and total > 0)))))
);
-- For members' histories: the trades that all members share. Joins and leaves are found by number.
create index pool_changes_trades on pool_changes (pool, id) where kind = 'trade';

-- The midnights (UTC, market time) at which the house paid interest on the idle cash of pools.
create table cash_yields (
  midnight timestamptz primary key
    constraint cash_yields_midnight check (extract(epoch from midnight) % 86400 = 0),
  -- The yearly rate, in basis points, and where the money is from, as users are told.
  rate_bps integer not null constraint cash_yields_rate check (rate_bps between 1 and 2000),
  source text not null,
  amount bigint not null constraint cash_yields_amount check (amount >= 0), -- To all pools.
  created_at timestamptz not null default clock_timestamp()
);
