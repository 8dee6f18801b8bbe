-- What each user owns across all bots, by asset: the `wallets` of the specification, for whoever reads the database directly.
create view wallets as
select user_id, currency, (sum(units) / 100000000)::numeric(16, 8) as balance
  from (select user_id, split_part(pair, '/', 1) as currency, base as units from bot_positions
        union all
        select user_id, 'USD', cash from bot_positions) as holdings
 group by user_id, currency
having sum(units) > 0;
