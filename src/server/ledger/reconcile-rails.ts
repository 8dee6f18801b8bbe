import type { Check } from './reconcile-ledger.ts'

/** Users' payments, withdrawals and history compared with the ledger, user by user. */
export const RAILS: readonly Check[] = [
  {
    name: 'holds equal open withdrawals',
    statement: `
      select a.user_id::text as subject, 'hold is ' || a.balance || ' and open withdrawals ' ||
             coalesce(w.amount, 0) as finding
        from ledger_accounts a
        left join (select user_id, sum(amount) as amount from withdrawal_requests
                    where state in ('pending', 'in_review', 'approved') group by user_id) w
                          on w.user_id = a.user_id
       where a.code = 'customer:hold' and a.balance <> coalesce(w.amount, 0)`,
  },
  {
    name: 'payouts on their way equal submitted withdrawals',
    statement: `
      select user_id::text as subject, 'clearing is ' || coalesce(a.balance,
             0) || ' and submitted withdrawals ' || coalesce(w.amount, 0) as finding
        from (select user_id, balance from ledger_accounts where code = 'payout:clearing') a
        full join (select user_id, sum(amount) as amount from withdrawal_requests
        where state = 'submitted' group by user_id) w using (user_id)
       where coalesce(a.balance, 0) <> coalesce(w.amount, 0)`,
  },
  {
    name:
      'paid withdrawals, and what was sent to the venue less interest received and paid for dead ' +
      'pairs, equal what left the bank',
    statement: `
      with sent as (
        select user_id, sum(amount) as amount from withdrawal_requests where state = 'paid'
         group by user_id
        union all
        select '00000000-0000-0000-0000-000000000000',
               coalesce(sum((details->>'amount')::numeric * 100000000 * case action
               when 'venue.funded' then 1 else -1 end), 0) - (select coalesce(sum(fill_notional), 0)
               from engine_blocks where filled_by = 'operator')
          from audit_events where action in ('venue.funded', 'venue.withdrew', 'interest.funded'))
      select user_id::text as subject,
             'bank is ' || coalesce(a.balance, 0) || ', paid withdrawals or sent to the venue ' ||
             coalesce(s.amount, 0) as finding
        from (select user_id, balance from ledger_accounts where code = 'bank' and asset = 'USD') a
             full join sent s using (user_id)
       where coalesce(a.balance, 0) <> coalesce(s.amount, 0)`,
  },
  {
    name: 'what an exchange executed is what its block was filled with',
    statement: `
      select k.id::text as subject, 'its order executed ' || o.executed || ' for ' || o.notional ||
             ' and a fee of ' || o.fee || ', the block has '
             || coalesce(k.fill_quantity, 0) || ' for ' || coalesce(k.fill_notional,
             0) || ' and ' || coalesce(k.fill_fee, 0) as finding
        from engine_blocks k join venue_orders o on o.block_id = k.id
       where k.state <> 'planned'
         and (coalesce(k.fill_quantity, 0) <> o.executed
             or coalesce(k.fill_notional, 0) <> o.notional or coalesce(k.fill_fee, 0) <> o.fee)`,
  },
  {
    name: 'coins of the operator are those of dead pairs, less fees that the exchange took in them',
    statement: `
      with fees as (
        select asset, sum(amount) as amount from (
          select key as asset, value::numeric as amount
            from venue_orders, jsonb_each_text(house_fees)
          union all
          select split_part(pair, '/', 1), -fill_quantity from engine_blocks
           where filled_by = 'operator') as coins
         group by asset)
      select asset as subject,
             'bank is ' || coalesce(a.balance, 0) || ', fees less coins bought ' ||
             coalesce(f.amount, 0) as finding
        from (select asset, balance from ledger_accounts where code = 'bank' and asset <> 'USD') a
             full join fees f using (asset)
       where coalesce(a.balance, 0) <> -coalesce(f.amount, 0)`,
  },
  {
    name: 'a batch for the bank is the sum of its payouts',
    statement: `
      select b.number::text as subject,
             'batch of ' || b.payouts || ' payouts, ' || b.total || ' and its lines are ' ||
             count(l.withdrawal_id) || ', ' || coalesce(sum(l.amount), 0) as finding
        from payout_batches b left join payout_batch_lines l on l.batch = b.number
       group by b.number, b.payouts, b.total
      having b.payouts <> count(distinct l.position) or b.payouts <> count(l.withdrawal_id)
          or b.payouts <> max(l.position)
          or b.total <> coalesce(sum(l.amount), 0)`,
  },
  {
    name: 'what is in a batch was handed to the bank as it was asked for',
    statement: `
      select l.withdrawal_id::text as subject,
             'line of ' || l.amount || ' and the withdrawal is ' ||
             coalesce(w.state || ' ' || w.amount, 'gone') as finding
        from payout_batch_lines l
        left join withdrawal_requests w on w.user_id = l.user_id and w.id = l.withdrawal_id
         and w.bank_account_id = l.bank_account_id
       where w.amount is distinct from l.amount
          or w.state not in ('submitted', 'paid', 'failed', 'returned')`,
  },
  {
    name: 'what a provider calls a payout is listed under its withdrawal',
    statement: `
      select w.id::text as subject,
             w.provider_reference || ' is ' || coalesce('listed under ' || r.withdrawal_id,
             'not listed') as finding
        from withdrawal_requests w left join payout_references r
             on r.provider_reference = w.provider_reference
       where w.provider_reference is not null and (r.user_id is distinct from w.user_id
             or r.withdrawal_id is distinct from w.id)`,
  },
  {
    name: 'deposits equal succeeded payment intents',
    statement: `
      select coalesce(i.id, t.dedup_key) as subject,
             'intent received ' || coalesce(i.received::text,
             'nothing') || ' and the ledger booked ' || coalesce(e.amount::text, 'nothing')
             as finding
        from (select * from payment_intents where status = 'succeeded') i
        full join (select * from ledger_transfers where kind = 'deposit') t on t.user_id = i.user_id
        and t.dedup_key = 'deposit:' || i.id
        left join (ledger_entries e join ledger_accounts a on a.user_id = e.user_id
             and a.id = e.account_id and a.code = 'customer:cash')
          on e.user_id = t.user_id and e.transfer_id = t.id
       where i.received is distinct from e.amount`,
  },
  {
    name: "a payment is one user's",
    statement: `
      select id as subject, 'payment of ' || count(*) || ' users' as finding from payment_intents
       group by id having count(*) > 1`,
  },
  {
    name: 'refunds and disputes equal what was taken back of payments',
    statement: `
      with moved as (
        select t.user_id, split_part(t.dedup_key, ':', 2) as id,
               split_part(t.kind, '-', 1) as reversal, sum(e.amount) as amount
          from ledger_transfers t
          left join (ledger_entries e join ledger_accounts a on a.user_id = e.user_id
               and a.id = e.account_id and a.code = 'card:clearing')
            on e.user_id = t.user_id and e.transfer_id = t.id
         where t.kind in ('refund', 'refund-returned', 'dispute', 'dispute-returned')
         group by 1, 2, 3),
      known as (
        select user_id, id, 'refund' as reversal, refunded as amount from payment_intents
         where refunded <> 0
        union all select user_id, id, 'dispute', disputed from payment_intents where disputed <> 0)
      select id as subject, reversal || ' of ' || coalesce(known.amount,
             0) || ' and the ledger booked ' || coalesce(moved.amount, 0) as finding
        from known full join moved using (user_id, id, reversal)
       where coalesce(known.amount, 0) <> coalesce(moved.amount, 0)`,
  },
  {
    name: 'card payments to come are what was received, less what was taken back',
    statement: `
      select user_id::text as subject, 'clearing is ' || coalesce(a.balance,
             0) || ' and the payments say ' || -coalesce(i.amount, 0) as finding
        from (select user_id, balance from ledger_accounts where code = 'card:clearing') a
        full join (select user_id, sum(received - refunded - disputed) as amount
        from payment_intents where status = 'succeeded' group by user_id) i
          using (user_id)
       where coalesce(a.balance, 0) <> -coalesce(i.amount, 0)`,
  },
  {
    name: 'every refund, dispute and repayment has one row in the history',
    statement: `
      select t.id::text as subject, t.kind || ' moved ' || coalesce(e.amount,
             0) || ' of the cash and the history says ' || coalesce(x.amount::text, 'nothing')
             as finding
        from ledger_transfers t
        left join (ledger_entries e join ledger_accounts a on a.user_id = e.user_id
             and a.id = e.account_id and a.code = 'customer:cash')
          on e.user_id = t.user_id and e.transfer_id = t.id
        left join transactions x on x.user_id = t.user_id and x.transfer_id = t.id
       where t.kind in ('refund', 'refund-returned', 'dispute', 'dispute-returned', 'debt-repaid')
         and (x.amount is distinct from coalesce(e.amount, 0) or x.status <> 'completed')`,
  },
  {
    name: 'every deposit has one row in the history',
    statement: `
      select i.id as subject, 'history says ' || coalesce(x.amount::text,
             'nothing') || ' of a deposit of ' || i.received as finding
        from payment_intents i left join transactions x on x.user_id = i.user_id
         and x.payment_intent_id = i.id and x.type = 'deposit'
       where i.status = 'succeeded' and (x.amount is distinct from i.received
             or x.status <> 'completed')`,
  },
  {
    name: 'history equals ledger: the rows of a user sum to the cash',
    statement: `
      select a.user_id::text as subject, 'cash is ' || a.balance || ' and the history sums to ' ||
             coalesce(x.amount, 0) as finding
        from ledger_accounts a
        left join (select user_id, sum(amount) as amount from transactions where status <> 'failed'
             group by user_id) x on x.user_id = a.user_id
       where a.code = 'customer:cash' and a.balance <> coalesce(x.amount, 0)`,
  },
  {
    name: 'the history shows every withdrawal in its state',
    statement: `
      select w.id::text as subject, 'withdrawal is ' || w.state || ' and the history says ' ||
             coalesce(x.status || ' ' || x.amount, 'nothing') as finding
        from withdrawal_requests w left join transactions x on x.user_id = w.user_id
         and x.withdrawal_id = w.id and x.type = 'withdrawal'
       where x.amount is distinct from -w.amount
          or x.status is distinct from case when w.state in ('pending', 'in_review') then 'pending'
             when w.state in ('approved', 'submitted') then 'processing' when w.state = 'paid'
                  then 'completed' else 'failed' end`,
  },
]
