-- The range model on a live market, a row a midnight: forecasts, outcomes, models as JSON. Each has
-- the SHA-256 of the text before it; two writers that chain to the same text meet at the number.
create table range_days (number integer primary key, text text not null);
create trigger range_days_append_only before update or delete or truncate on range_days
  for each statement execute function ledger_refuse_change();
