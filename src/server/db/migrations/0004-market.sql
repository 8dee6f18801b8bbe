-- The state of the market. One row, because a book follows one feed.
create table market_clock (
  only_row boolean constraint market_clock_pkey primary key default true constraint market_clock_only_row check (only_row),
  -- Kind, seed or data of the feed: a clock never continues on another market.
  feed text not null,
  market_time timestamptz not null,
  -- Whole hour up to which every block of the strategies is settled: after a crash, the rest of an hour is repeated.
  settled_time timestamptz not null,
  -- Rises with every new leader, so that an engine that lost its lead unnoticed can no longer write.
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

-- The exposure that each strategy wants now, with its reason: 7 strategies for each pair, however many bots follow.
create table strategy_exposures (
  pair text not null,
  strategy text not null,
  exposure_bps integer not null constraint strategy_exposures_range check (exposure_bps between 0 and 10000),
  reason text not null,
  market_time timestamptz not null,
  constraint strategy_exposures_pkey primary key (pair, strategy)
);

-- Closed hourly candles of a live market, as received from its exchange: stored once, never changed; a missing hour stays missing.
create table market_candles (
  -- In the order of recording: processes that do not follow the exchange continue reading after the last one seen.
  id bigint generated always as identity constraint market_candles_id unique,
  pair text not null,
  open_time timestamptz not null constraint market_candles_whole_hour check (extract(epoch from open_time)::bigint % 3600 = 0),
  -- The exchange, or 'recorded' for candles from files.
  source text not null,
  -- Units of quote per whole base asset.
  open bigint not null,
  high bigint not null,
  low bigint not null,
  close bigint not null,
  constraint market_candles_pkey primary key (pair, open_time),
  constraint market_candles_range check (low > 0 and low <= least(open, close) and high >= greatest(open, close))
);
