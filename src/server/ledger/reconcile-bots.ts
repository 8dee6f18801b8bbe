import type { Check } from './reconcile-ledger.ts'

/** Invariants between bots, their money, their fees and the ledger. */
export const BOTS: readonly Check[] = [
  {
    name: 'what was put into a bot and paid out of it is in the ledger',
    statement: `
      with moved as (
        select x.user_id, x.bot_id, sum(case t.kind when 'bot-funded'
               then -e.amount end) as funded,
               sum(case when t.dedup_key like '%:take-out:%'
               then coalesce((x.metadata ->> 'investedPart')::bigint, 0) end) as taken
          from transactions x
          join ledger_transfers t on t.user_id = x.user_id and t.id = x.transfer_id
           and t.kind in ('bot-funded', 'bot-returned')
          join ledger_accounts a on a.user_id = x.user_id and a.code = 'customer:cash'
          left join ledger_entries e on e.user_id = t.user_id and e.transfer_id = t.id
           and e.account_id = a.id
         where x.bot_id is not null group by 1, 2)
      select b.id::text as subject,
             'has an investment of ' || b.invested || ', ' || coalesce(m.funded,
             0) || ' was put in and ' || coalesce(m.taken, 0) || ' of it taken out' as finding
        from trading_bots b left join moved m on m.user_id = b.user_id and m.bot_id = b.id
       where b.invested <> coalesce(m.funded, 0) - coalesce(m.taken, 0)`,
  },
  {
    name: 'the money of a sleeve is what it was given, paid and got back',
    statement: `
      with given as (
        select a.user_id, sum(a.balance) as amount from ledger_accounts a where a.code = 'bots'
           and a.user_id <> '00000000-0000-0000-0000-000000000000' group by 1),
      stays as (
        select user_id, sum(cash_out - paid) as gained
          from sleeve_stays group by 1),
      held as (select user_id, sum(cash + taken) as cash, sum(paid) as paid from sleeves
      group by 1),
      waiting as (select user_id, sum(pending) as cash from trading_bots group by 1)
      select u.id::text as subject, 'holds ' || coalesce(h.cash, 0) + coalesce(w.cash,
             0) || ' and was given ' || coalesce(g.amount, 0) || ', got ' || coalesce(s.gained,
             0) || ' and paid ' || coalesce(h.paid, 0) as finding
        from users u left join given g on g.user_id = u.id left join stays s on s.user_id = u.id
        left join held h on h.user_id = u.id left join waiting w on w.user_id = u.id
       where coalesce(h.cash, 0) + coalesce(w.cash, 0) <> coalesce(g.amount, 0) + coalesce(s.gained,
             0) - coalesce(h.paid, 0)`,
  },
  {
    name: 'what a plan has added is in the ledger',
    statement: `
      select r.bot_id || ' ' || r.period as subject,
             'a plan added ' || r.amount || ' and its transfer moved ' || coalesce(e.amount, 0)
             as finding
        from bot_plan_runs r
        left join (ledger_entries e join ledger_accounts a on a.user_id = e.user_id
             and a.id = e.account_id and a.code = 'bots')
          on e.user_id = r.user_id and e.transfer_id = r.transfer_id
       where r.outcome = 'added' and r.amount is distinct from e.amount`,
  },
  {
    name: 'platform fees equal the fee income',
    statement: `
      select u.id::text as subject, 'income is ' || coalesce(a.balance, 0) || ' and charged fees '
             || coalesce(f.amount, 0) as finding
        from users u
        left join ledger_accounts a on a.user_id = u.id and a.code = 'fees:income'
        left join (
          select user_id, sum(fee_amount) as amount from platform_fees group by 1) f
               on f.user_id = u.id
       where coalesce(a.balance, 0) <> coalesce(f.amount, 0)`,
  },
  {
    name: 'a fee is its share of the profit, floored',
    statement: `
      select f.bot_id || ' ' || f.id as subject,
             'fee ' || f.fee_amount || ' of profit ' || f.user_profit as finding
        from platform_fees f where f.fee_amount <> div(f.user_profit::numeric * f.fee_bps, 10000)`,
  },
  {
    name: 'a fee names a trade that happened',
    statement: `
      with charged as materialized (select bot_id, id, trade from platform_fees
           where trade is not null)
      select f.bot_id || ' ' || f.id as subject,
             'names the change ' || f.trade || ', which no pool has' as finding
        from charged f left join pool_changes c on c.id = f.trade
       where c.id is null`,
  },
  {
    name: 'a fee belongs to the return of a bot’s money',
    statement: `
      select f.bot_id || ' ' || f.id as subject,
             'a fee of ' || f.fee_amount || ' and no return of that bot paid it' as finding
        from platform_fees f
       where f.fee_amount > 0 and not exists (
         select 1 from transactions x
           join ledger_accounts a on a.user_id = x.user_id and a.code = 'fees:income'
           left join ledger_entries e on e.user_id = x.user_id and e.transfer_id = x.transfer_id
            and e.account_id = a.id
          where x.user_id = f.user_id and x.bot_id = f.bot_id and e.amount = f.fee_amount)`,
  },
]
