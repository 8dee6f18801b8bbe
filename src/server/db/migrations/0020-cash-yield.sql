-- Interest on the idle cash of pools, which the house pays at each midnight (UTC) of market time. Its account is below 0 by what the operator has
-- not yet received for it.
alter table ledger_accounts
  drop constraint ledger_accounts_code,
  add constraint ledger_accounts_code check (case
    when code in ('customer:cash', 'customer:hold', 'customer:receivable') then user_id <> '00000000-0000-0000-0000-000000000000'
    when code in ('venue', 'rounding', 'pool', 'interest') then user_id = '00000000-0000-0000-0000-000000000000'
    else code in ('bots', 'card:clearing', 'payout:clearing', 'bank', 'fees:income') end);
insert into ledger_accounts (user_id, code, asset, may_be_negative)
values ('00000000-0000-0000-0000-000000000000', 'interest', 'USD', true);

-- The midnights at which interest was paid, append-only. The primary key is why none is paid twice.
create table cash_yields (
  midnight timestamptz constraint cash_yields_pkey primary key constraint cash_yields_midnight check (extract(epoch from midnight) % 86400 = 0),
  -- The yearly rate, in basis points, and where the money is from, as users are told.
  rate_bps integer not null constraint cash_yields_rate check (rate_bps between 1 and 2000),
  source text not null,
  -- What all pools received together.
  amount bigint not null constraint cash_yields_amount check (amount >= 0),
  created_at timestamptz not null default clock_timestamp()
);
create trigger cash_yields_append_only before update or delete or truncate on cash_yields
  for each statement execute function ledger_refuse_change();

-- yield: interest on the cash of the pool, whose units stay. Its total is the interest, its weight the units.
alter table pool_changes
  drop constraint pool_changes_kind,
  add constraint pool_changes_kind check (kind in ('trade', 'join', 'leave', 'pause', 'own', 'yield')),
  drop constraint pool_changes_order,
  add constraint pool_changes_order check (
    (block_id is null) = (side is null) and (block_id is not null or (quantity = 0 and fee = 0 and (total = 0 or (kind = 'yield' and total > 0)))));
