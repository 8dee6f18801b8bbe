-- What a bot wants of a block follows from its sleeve and the block alone, and the sleeve stands still until it has its share: a million
-- wishes need not be written to be kept.
do $$ begin
  if exists (select from engine_blocks where state <> 'allocated') then
    raise exception 'A block is under way: start the version before this one once more, so that its bots get their shares.';
  end if;
end $$;
drop table block_wishes;

-- Status that the bot's sleeves know: the engine tells them between two blocks, never while one is under way.
alter table trading_bots
  add column engine_status text,
  -- As a column, so that the planner knows how few they are.
  add column is_told boolean not null generated always as (engine_status is not distinct from status) stored;
update trading_bots set engine_status = status;
create index trading_bots_untold on trading_bots (id) where not is_told;

alter table bot_positions
  -- Of its bot, here so that a million sleeves are told apart without looking at their bots.
  add column risk_level text,
  -- Of its bot, likewise; null: the engine has not met it yet.
  add column engine_status text,
  -- The last plan that it had a share of: never two of one.
  add column plan bigint not null default 0;
update bot_positions p
   set risk_level = b.risk_level,
       engine_status = b.status
  from trading_bots b where b.user_id = p.user_id and b.id = p.bot_id;
alter table bot_positions alter column risk_level set not null;
create index bot_positions_takers on bot_positions (engine_status, pair);

-- Counts what was planned at once: at most two blocks for each pair.
alter table market_clock add column plans bigint not null default 0;
alter table engine_blocks
  add column plan bigint not null default 0,
  -- What sizes follow from, beside the price: as they were when the block was planned, whatever is configured meanwhile.
  add column buy_price bigint not null default 0,
  add column cost_bps integer not null default 0,
  add column exposures jsonb not null default '{}';

-- Most sales charge nobody: nothing to look up then.
create or replace function platform_fees_require_trades() returns trigger language plpgsql as $$
declare stray record;
begin
  if not exists (select from added) then return null; end if;
  execute 'select a.block_id, a.bot_id from added a
            where not exists (select from bot_trades t where t.user_id = a.user_id and t.block_id = a.block_id and t.bot_id = a.bot_id) limit 1' into stray;
  if stray.bot_id is not null then
    raise exception 'block % has no share of bot %', stray.block_id, stray.bot_id
      using errcode = 'foreign_key_violation', constraint = 'platform_fees_trade';
  end if;
  return null;
end $$;
