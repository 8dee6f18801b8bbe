-- A bot whose owner changed its pairs or risk level: the number of pairs that it had before, until the money of what it no longer wants has
-- moved; and what the engine has adopted of it.
alter table trading_bots add column changing smallint constraint trading_bots_changing check (changing > 0);
alter table trading_bots add column engine_changing smallint;
alter table trading_bots add constraint trading_bots_one_move check (changing is null or (taking_bps is null and status = 'active'));
alter table trading_bots drop column is_synced;
alter table trading_bots add column is_synced boolean not null generated always as (
  engine_status is not distinct from status and engine_taking_bps is not distinct from taking_bps and engine_changing is not distinct from changing and pending = 0) stored;
create index trading_bots_unsynced on trading_bots (id) where not is_synced;
create index trading_bots_changes on trading_bots (id) where engine_changing is not null;
