-- What a sleeve has paid in platform fees, beside its mark: a sale knows its fee without reading all fees ever paid, and charges it in
-- the same change of the position. Reconcile holds the sum against platform_fees.
alter table bot_positions add column fees_paid bigint not null default 0 constraint bot_positions_fees_paid check (fees_paid >= 0);
update bot_positions p set fees_paid = f.amount
  from (select f.user_id, f.bot_id, k.pair, sum(f.fee_amount)::bigint as amount
          from platform_fees f join engine_blocks k on k.id = f.block_id group by f.user_id, f.bot_id, k.pair) f
 where p.user_id = f.user_id and p.bot_id = f.bot_id and p.pair = f.pair;
