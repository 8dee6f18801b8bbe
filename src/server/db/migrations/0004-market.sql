-- The state of the market. One row, because a book follows one feed.
create table market_clock (
  only_row boolean primary key default true constraint market_clock_only_row check (only_row),
  feed text not null, -- Kind, seed or data of the feed: a clock never continues on another market.
  market_time timestamptz not null,
  -- Whole hour up to which all blocks are settled: after a crash, the rest of an hour is repeated.
  settled_time timestamptz not null,
  leader_epoch bigint not null default 0, -- An engine that lost its lead can no longer write.
  halted_at timestamptz, -- The operator's switch: while it is set, no engine sends an order.
  halt_reason text, updated_at timestamptz not null default clock_timestamp(),
  start_time timestamptz not null -- The days of a simulated market are counted from it.
);
create trigger market_clock_feed_fixed before update on market_clock
  for each row when (old.feed <> new.feed) execute function ledger_refuse_change();

create table market_tickers (
  pair text primary key,
  -- Units of quote per whole base asset, now and 24 hours before.
  price bigint not null constraint market_tickers_price check (price > 0),
  price_24h bigint not null, market_time timestamptz not null,
  -- Why its coins could not be sold at the last try, since when, what operators pay for them.
  settlement jsonb, waiting_since timestamptz, waiting text constraint market_tickers_waiting
    check (waiting in ('closed', 'unfilled', 'no-price', 'unknown'))
);

-- The exposure that each strategy wants now, with its reason, however many bots follow.
create table strategy_exposures (
  pair text not null, strategy text not null, exposure_bps integer not null
    constraint strategy_exposures_range check (exposure_bps between 0 and 10000),
  reason jsonb not null, outlook jsonb, market_time timestamptz not null,
  primary key (pair, strategy)
);

-- Closed hourly candles of a live market as received, stored once. A missing hour stays missing.
create table market_candles (
  -- In the order of recording: other processes continue reading after the last one seen.
  id bigint generated always as identity constraint market_candles_id unique,
  pair text not null, open_time timestamptz not null constraint market_candles_whole_hour
    check (extract(epoch from open_time)::bigint % 3600 = 0),
  source text not null, -- The exchange, or 'recorded' for candles from files.
  -- Units of quote per whole base asset.
  open bigint not null, high bigint not null, low bigint not null, close bigint not null,
  primary key (pair, open_time),
  constraint market_candles_range
    check (low > 0 and low <= least(open, close) and high >= greatest(open, close))
);

-- The last nonce of a signed request at the exchange, stored before use: the next one is greater in
-- any process and on a clock that was set back. A new key may start at any, so one row serves all.
create table exchange_nonce (
  only_row boolean primary key default true constraint exchange_nonce_only_row check (only_row),
  last bigint not null
);
