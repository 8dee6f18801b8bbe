-- When the market of this book began, in market time: the days of a simulated market are counted from it.
alter table market_clock add column start_time timestamptz;
-- A simulated market began at the hour in which its database was made; a recorded or live one prints dates and counts no days.
update market_clock set start_time = least(market_time, (select date_trunc('hour', min(applied_at)) from schema_migrations));
alter table market_clock alter column start_time set not null;
