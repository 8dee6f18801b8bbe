-- Where the market stands. One row: a book follows one feed.
create table market_clock (
  only_row boolean constraint market_clock_pkey primary key default true constraint market_clock_only_row check (only_row),
  -- Kind, seed or data of the feed: a clock never continues on another market.
  feed text not null,
  market_time timestamptz not null,
  -- Whole hour up to which every block of the strategies is settled: a crash in between repeats the rest of it.
  settled_time timestamptz not null,
  -- Rises with every new leader: an engine that lost its lead without noticing can write nothing more.
  leader_epoch bigint not null default 0,
  -- The operator's switch: while it is set, no engine sends an order.
  halted_at timestamptz,
  halt_reason text,
  updated_at timestamptz not null default clock_timestamp()
);

create table market_tickers (
  pair text constraint market_tickers_pkey primary key,
  -- Units of quote per whole base asset, now and 24 hours before.
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

-- Closed hourly candles of a live market, as its exchange gave them: stored once, never changed, a missing hour stays missing.
create table market_candles (
  -- In the order of recording: a process that does not follow the exchange itself reads on from the last one it saw.
  id bigint generated always as identity constraint market_candles_id unique,
  pair text not null,
  open_time timestamptz not null constraint market_candles_whole_hour check (extract(epoch from open_time)::bigint % 3600 = 0),
  -- The exchange, or 'recorded' for those that came from files.
  source text not null,
  -- Units of quote per whole base asset.
  open bigint not null,
  high bigint not null,
  low bigint not null,
  close bigint not null,
  constraint market_candles_pkey primary key (pair, open_time),
  constraint market_candles_range check (low > 0 and low <= least(open, close) and high >= greatest(open, close))
);
