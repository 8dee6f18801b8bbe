-- Where the market stands. One row: a book follows one feed.
create table market_clock (
  only_row boolean constraint market_clock_pkey primary key default true constraint market_clock_only_row check (only_row),
  -- Kind, seed or data of the feed: a clock never continues on another market.
  feed text not null,
  market_time timestamptz not null,
  -- Whole hour up to which every block of the strategies is allocated: a crash in between repeats the rest of it.
  settled_time timestamptz not null,
  -- Rises with every new leader: an engine that lost its lead without noticing can write nothing more.
  leader_epoch bigint not null default 0,
  updated_at timestamptz not null default clock_timestamp()
);

create table market_tickers (
  pair text constraint market_tickers_pkey primary key,
  price bigint not null constraint market_tickers_price check (price > 0),
  price_24h bigint not null,
  market_time timestamptz not null
);

-- What each preset wants now, and why: 3 risk levels for each pair, however many bots follow.
create table strategy_exposures (
  pair text not null,
  risk_level text not null,
  exposure_bps integer not null constraint strategy_exposures_range check (exposure_bps between 0 and 10000),
  reason text not null,
  market_time timestamptz not null,
  constraint strategy_exposures_pkey primary key (pair, risk_level)
);

create table trading_bots (
  id uuid not null,
  user_id uuid not null constraint trading_bots_user references users,
  name text not null,
  risk_level text not null constraint trading_bots_risk_level check (risk_level in ('conservative', 'moderate', 'aggressive')),
  trading_pairs text[] not null,
  invested bigint not null constraint trading_bots_invested check (invested > 0),
  -- entering: awaits its first trade; following: trades; paused: keeps what it holds; closing: sells, then returns the money.
  status text not null constraint trading_bots_status check (status in ('entering', 'following', 'paused', 'closing', 'closed')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  closed_at timestamptz,
  -- Market time at which the bot began: the origin of its curve.
  market_start timestamptz not null,
  constraint trading_bots_pkey primary key (user_id, id)
);
-- The engine looks for these few at every pulse, among millions.
create index trading_bots_waiting on trading_bots (status) where status in ('entering', 'closing');

-- A bot's money on one pair, its sleeve: the subsidiary ledger under the control accounts `bots`.
create table bot_positions (
  user_id uuid not null,
  bot_id uuid not null,
  pair text not null,
  -- USD not invested, base asset held, what that base cost, profit realised so far, profit already charged (high-water mark).
  cash bigint not null constraint bot_positions_cash check (cash >= 0),
  base bigint not null default 0 constraint bot_positions_base check (base >= 0),
  cost bigint not null default 0,
  realised bigint not null default 0,
  mark bigint not null default 0 constraint bot_positions_mark check (mark >= 0),
  -- Exposure last traded to, so that a change of the strategy is a change of this.
  applied_bps integer not null default 0,
  constraint bot_positions_pkey primary key (user_id, bot_id, pair),
  constraint bot_positions_bot foreign key (user_id, bot_id) references trading_bots
-- Half-empty pages keep every fill a heap-only update: no index is touched when a million positions change.
) with (fillfactor = 50);

-- The journal of blocks: one order for many bots, planned → filled → allocated, resumed exactly once after a crash.
create table engine_blocks (
  id uuid constraint engine_blocks_pkey primary key,
  kind text not null constraint engine_blocks_kind check (kind in ('strategy', 'entry', 'exit')),
  pair text not null,
  side text not null constraint engine_blocks_side check (side in ('buy', 'sell')),
  state text not null constraint engine_blocks_state check (state in ('planned', 'filled', 'allocated')),
  -- Price at which the orders were sized, and the sum of all wishes in base units.
  price bigint not null,
  wished bigint not null constraint engine_blocks_wished check (wished > 0),
  bots integer not null,
  slices integer not null,
  reasons jsonb not null,
  market_time timestamptz not null,
  fill_quantity bigint,
  fill_price bigint,
  fill_notional bigint,
  fill_fee bigint,
  planned_at timestamptz not null default clock_timestamp(),
  allocated_at timestamptz
);
create index engine_blocks_unfinished on engine_blocks (id) where state <> 'allocated';

-- Who wants how much of a block, frozen when it is planned; dropped once the block is allocated.
-- No index: the table holds the blocks under way alone, and a slice is a good part of them.
create table block_wishes (
  block_id uuid not null,
  slice integer not null,
  user_id uuid not null,
  bot_id uuid not null,
  quantity bigint not null,
  exposure_bps integer not null
);

-- One row for a bot's share of a block; pair, side, price, reason and time stand in the block. The key forbids a second share.
-- No foreign key to engine_blocks: a million look-ups of one row; reconcile checks it instead.
create table bot_trades (
  user_id uuid not null,
  block_id uuid not null,
  bot_id uuid not null,
  quantity bigint not null,
  -- USD debited (buy) or credited (sell), the venue's fee included.
  total bigint not null,
  fee bigint not null,
  -- Realised by a sale; null for a purchase.
  profit bigint,
  constraint bot_trades_pkey primary key (user_id, block_id, bot_id),
  constraint bot_trades_bot foreign key (user_id, bot_id) references trading_bots
);

create table platform_fees (
  user_id uuid not null,
  block_id uuid not null,
  bot_id uuid not null,
  user_profit bigint not null constraint platform_fees_profit check (user_profit > 0),
  fee_amount bigint not null constraint platform_fees_amount check (fee_amount >= 0),
  fee_bps integer not null default 1500,
  created_at timestamptz not null default now(),
  constraint platform_fees_pkey primary key (user_id, block_id, bot_id),
  constraint platform_fees_trade foreign key (user_id, block_id, bot_id) references bot_trades
);
