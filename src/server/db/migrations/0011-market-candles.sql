-- Closed hourly candles of a live market, as its exchange gave them: stored once, never changed, a missing hour stays missing.
create table market_candles (
  -- In the order of recording: a process that does not follow the exchange itself reads on from the last it saw.
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
