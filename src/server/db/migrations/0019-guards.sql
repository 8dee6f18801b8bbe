-- What stops a bot, set by its owner, and what its worth is compared with (src/core/guards/guard.ts). A row for each guarded bot.
create table bot_guards (
  user_id uuid not null,
  bot_id uuid not null,
  -- In basis points and days.
  stop_loss_bps integer constraint bot_guards_stop_loss check (stop_loss_bps between 100 and 9000),
  stop_loss_from text not null constraint bot_guards_stop_loss_from check (stop_loss_from in ('invested', 'best')),
  take_profit_bps integer constraint bot_guards_take_profit check (take_profit_bps between 100 and 100000),
  daily_loss_bps integer constraint bot_guards_daily_loss check (daily_loss_bps between 100 and 5000),
  cool_down_days integer constraint bot_guards_cool_down check (cool_down_days between 1 and 365),
  -- The marks: the money put in or the worth with which it began again, its best, and its worth at the begin of a market day (days since 1970).
  start bigint not null constraint bot_guards_start check (start >= 0),
  best bigint not null constraint bot_guards_best check (best >= 0),
  day_start bigint not null constraint bot_guards_day_start check (day_start >= 0),
  day integer not null,
  -- Raised by every change that its owner causes, so that the engine never writes over one.
  revision bigint not null default 0,
  constraint bot_guards_pkey primary key (user_id, bot_id),
  constraint bot_guards_bot foreign key (user_id, bot_id) references trading_bots,
  constraint bot_guards_any check (num_nonnulls(stop_loss_bps, take_profit_bps, daily_loss_bps) > 0)
) with (fillfactor = 70);

-- The stops of bots by their guards, in market time.
create table bot_stops (
  user_id uuid not null,
  bot_id uuid not null,
  at timestamptz not null,
  guard text not null constraint bot_stops_guard check (guard in ('stop-loss', 'trailing-stop', 'take-profit', 'daily-loss')),
  -- The change of the bot's worth since the mark of this guard, in basis points, floored.
  change_bps integer not null,
  -- When it begins again by itself; null if it waits for its owner.
  back_at timestamptz,
  ended_at timestamptz,
  constraint bot_stops_pkey primary key (user_id, bot_id, at),
  constraint bot_stops_bot foreign key (user_id, bot_id) references trading_bots,
  constraint bot_stops_order check (back_at > at and ended_at >= at)
);
create unique index bot_stops_open on bot_stops (user_id, bot_id) where ended_at is null;
create index bot_stops_back on bot_stops (back_at) where ended_at is null and back_at is not null;

-- stopped: a guard sold its coins, and it keeps the money until it begins again.
alter table trading_bots drop constraint trading_bots_status;
alter table trading_bots add constraint trading_bots_status check (status in ('active', 'paused', 'stopped', 'closing', 'closed'));
