-- A share belongs to a bot of its user, and a fee to a share. The database's own foreign keys look up and lock the bot row by row, which
-- took more than half of an allocation's time: the same rule, held for all rows of a statement at once. Nothing else can break it: shares
-- and fees are never changed, and bots are never deleted.
alter table bot_trades drop constraint bot_trades_bot;
alter table platform_fees drop constraint platform_fees_trade;

-- `execute`, so that each statement is planned for the number of its own rows.
create function bot_trades_require_bots() returns trigger language plpgsql as $$
declare stray record;
begin
  execute 'select a.user_id, a.bot_id from added a
            where not exists (select from trading_bots b where b.user_id = a.user_id and b.id = a.bot_id) limit 1' into stray;
  if stray.bot_id is not null then
    raise exception 'user % has no bot %', stray.user_id, stray.bot_id using errcode = 'foreign_key_violation', constraint = 'bot_trades_bot';
  end if;
  return null;
end $$;
create trigger bot_trades_bot after insert on bot_trades
  referencing new table as added for each statement execute function bot_trades_require_bots();

create function platform_fees_require_trades() returns trigger language plpgsql as $$
declare stray record;
begin
  execute 'select a.block_id, a.bot_id from added a
            where not exists (select from bot_trades t where t.user_id = a.user_id and t.block_id = a.block_id and t.bot_id = a.bot_id) limit 1' into stray;
  if stray.bot_id is not null then
    raise exception 'block % has no share of bot %', stray.block_id, stray.bot_id
      using errcode = 'foreign_key_violation', constraint = 'platform_fees_trade';
  end if;
  return null;
end $$;
create trigger platform_fees_trade after insert on platform_fees
  referencing new table as added for each statement execute function platform_fees_require_trades();

create trigger bot_trades_append_only before update or delete or truncate on bot_trades
  for each statement execute function ledger_refuse_change();
create trigger platform_fees_append_only before update or delete or truncate on platform_fees
  for each statement execute function ledger_refuse_change();
create trigger trading_bots_kept before delete or truncate on trading_bots
  for each statement execute function ledger_refuse_change();
