-- An order at a real exchange, written before it is sent: whatever happens to the answer, it is looked up under this id and never sent
-- blindly again. sent: nobody knows yet; done: the exchange told what became of it; dead: it cannot be executed any more and never was.
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
  -- Why nothing, or not all of it, was executed, as the exchange says it.
  reason text,
  -- A block is sent once. What is missing afterwards is another block.
  constraint venue_orders_once unique (block_id)
);

-- A block that was not filled as a whole leaves its bots where they stand: what is missing is planned anew.
alter table engine_blocks add column fill_whole boolean;
-- 'house': what a leaving bot holds is too little for the exchange's minimum, and the house takes it over at the market's price.
alter table engine_blocks add column filled_by text not null default 'venue'
  constraint engine_blocks_filled_by check (filled_by in ('venue', 'house'));
update engine_blocks set fill_whole = true where state <> 'planned';
update ledger_accounts set may_be_negative = true where code = 'rounding' and asset = 'USD';

-- The operator's switch: while it is set, no engine sends an order.
alter table market_clock add column halted_at timestamptz, add column halt_reason text;
