/** One recomputation: what must hold, and the statement that lists every row that breaks it as (subject, finding). */
export type Check = { name: string; statement: string }

const LEDGER: Check[] = [
  {
    name: 'entries of every transfer sum to zero in every asset',
    statement: `
      select transfer_id::text as subject, 'entries sum to ' || sum(amount) || ' in ' || asset as finding
        from ledger_entries group by transfer_id, asset having sum(amount) <> 0`,
  },
  {
    name: 'every transfer has entries',
    statement: `
      select t.id::text as subject, 'transfer ' || t.dedup_key || ' has no entries' as finding
        from ledger_transfers t where not exists (select from ledger_entries e where e.transfer_id = t.id)`,
  },
  {
    name: 'every entry has its transfer and its account',
    statement: `
      select e.transfer_id::text as subject, 'entry on account ' || e.account_id || ' hangs in the air' as finding
        from ledger_entries e left join ledger_transfers t on t.id = e.transfer_id
        left join ledger_accounts a on a.id = e.account_id and a.asset = e.asset
       where t.id is null or a.id is null`,
  },
  {
    name: 'every balance is the sum of its entries',
    statement: `
      select a.id::text as subject, a.code || ' holds ' || a.balance || ' and its entries ' || coalesce(sum(e.amount), 0) || ' ' || a.asset as finding
        from ledger_accounts a left join ledger_entries e on e.account_id = a.id
       group by a.id having a.balance <> coalesce(sum(e.amount), 0)`,
  },
  {
    name: 'no account is overdrawn',
    statement: `
      select id::text as subject, code || ' holds ' || balance || ' ' || asset as finding
        from ledger_accounts where balance < 0 and not may_be_negative`,
  },
  {
    name: 'every user has cash, hold and receivable accounts',
    statement: `
      select u.id::text as subject, 'user has ' || count(a.id) || ' accounts instead of 3' as finding
        from users u left join ledger_accounts a on a.owner = u.id group by u.id having count(a.id) <> 3`,
  },
]

const RAILS: Check[] = [
  {
    name: 'holds equal open withdrawals',
    statement: `
      select a.owner::text as subject, 'hold is ' || a.balance || ' and open withdrawals ' || coalesce(w.amount, 0) as finding
        from ledger_accounts a
        left join (select user_id, sum(amount) as amount from withdrawal_requests
                    where state in ('pending', 'in_review', 'approved') group by user_id) w on w.user_id = a.owner
       where a.code = 'customer:hold' and a.balance <> coalesce(w.amount, 0)`,
  },
  {
    name: 'payouts on their way equal submitted withdrawals',
    statement: `
      select 'payout:clearing' as subject, 'clearing is ' || a.balance || ' and submitted withdrawals ' || w.amount as finding
        from ledger_accounts a,
             (select coalesce(sum(amount), 0) as amount from withdrawal_requests where state = 'submitted') w
       where a.code = 'payout:clearing' and a.balance <> w.amount`,
  },
  {
    name: 'paid withdrawals, and what was sent to the venue, equal what left the bank',
    statement: `
      select 'bank' as subject, 'bank is ' || a.balance || ', paid withdrawals ' || w.amount || ', sent to the venue ' || v.amount as finding
        from ledger_accounts a,
             (select coalesce(sum(amount), 0) as amount from withdrawal_requests where state = 'paid') w,
             (select coalesce(sum((details->>'amount')::numeric * 100000000 * case action when 'venue.funded' then 1 else -1 end), 0) as amount
                from audit_events where action in ('venue.funded', 'venue.withdrew')) v
       where a.code = 'bank' and a.balance <> w.amount + v.amount`,
  },
  {
    name: 'what an exchange executed is what its block was filled with',
    statement: `
      select k.id::text as subject, 'its order executed ' || o.executed || ' for ' || o.notional || ' and a fee of ' || o.fee || ', the block has '
             || coalesce(k.fill_quantity, 0) || ' for ' || coalesce(k.fill_notional, 0) || ' and ' || coalesce(k.fill_fee, 0) as finding
        from engine_blocks k join venue_orders o on o.block_id = k.id
       where k.state <> 'planned'
         and (coalesce(k.fill_quantity, 0) <> o.executed or coalesce(k.fill_notional, 0) <> o.notional or coalesce(k.fill_fee, 0) <> o.fee)`,
  },
  {
    name: 'a batch for the bank is the sum of its payouts',
    statement: `
      select b.number::text as subject, 'batch of ' || b.payouts || ' payouts, ' || b.total || ' and its lines are ' || count(l.withdrawal_id) || ', ' || coalesce(sum(l.amount), 0) as finding
        from payout_batches b left join payout_batch_lines l on l.batch = b.number
       group by b.number having b.payouts <> count(l.withdrawal_id) or b.total <> coalesce(sum(l.amount), 0)`,
  },
  {
    name: 'what is in a batch was handed to the bank as it was asked for',
    statement: `
      select l.withdrawal_id::text as subject, 'line of ' || l.amount || ' and the withdrawal is ' || coalesce(w.state || ' ' || w.amount, 'gone') as finding
        from payout_batch_lines l left join withdrawal_requests w on w.id = l.withdrawal_id and w.bank_account_id = l.bank_account_id and w.user_id = l.user_id
       where w.amount is distinct from l.amount or w.state not in ('submitted', 'paid', 'failed', 'returned')`,
  },
  {
    name: 'deposits equal succeeded payment intents',
    statement: `
      select coalesce(i.id, t.dedup_key) as subject,
             'intent received ' || coalesce(i.received::text, 'nothing') || ' and the ledger booked ' || coalesce(e.amount::text, 'nothing') as finding
        from (select * from payment_intents where status = 'succeeded') i
        full join (select * from ledger_transfers where kind = 'deposit') t on t.dedup_key = 'deposit:' || i.id
        left join (ledger_entries e join ledger_accounts a on a.id = e.account_id and a.code = 'customer:cash') on e.transfer_id = t.id
       where i.received is distinct from e.amount or i.user_id is distinct from t.user_id`,
  },
  {
    name: 'refunds and disputes equal what was taken back of payments',
    statement: `
      with moved as (
        select split_part(t.dedup_key, ':', 2) as id, split_part(t.kind, '-', 1) as reversal, sum(e.amount) as amount
          from ledger_transfers t join ledger_entries e on e.transfer_id = t.id join ledger_accounts a on a.id = e.account_id and a.code = 'card:clearing'
         where t.kind in ('refund', 'refund-returned', 'dispute', 'dispute-returned') group by 1, 2),
      known as (
        select id, 'refund' as reversal, refunded as amount from payment_intents where refunded <> 0
        union all select id, 'dispute', disputed from payment_intents where disputed <> 0)
      select coalesce(known.id, moved.id) as subject,
             coalesce(known.reversal, moved.reversal) || ' of ' || coalesce(known.amount, 0) || ' and the ledger booked ' || coalesce(moved.amount, 0) as finding
        from known full join moved on moved.id = known.id and moved.reversal = known.reversal
       where coalesce(known.amount, 0) <> coalesce(moved.amount, 0)`,
  },
  {
    name: 'card payments to come are what was received, less what was taken back',
    statement: `
      select 'card:clearing' as subject, 'clearing is ' || a.balance || ' and the payments say ' || -i.amount as finding
        from ledger_accounts a, (select coalesce(sum(received - refunded - disputed), 0) as amount from payment_intents where status = 'succeeded') i
       where a.code = 'card:clearing' and a.balance <> -i.amount`,
  },
  {
    name: 'every refund, dispute and repayment has one row in the history',
    statement: `
      select t.id::text as subject, t.kind || ' moved ' || coalesce(e.amount, 0) || ' of the cash and the history says ' || coalesce(x.amount::text, 'nothing') as finding
        from ledger_transfers t
        left join (ledger_entries e join ledger_accounts a on a.id = e.account_id and a.code = 'customer:cash') on e.transfer_id = t.id
        left join transactions x on x.transfer_id = t.id
       where t.kind in ('refund', 'refund-returned', 'dispute', 'dispute-returned', 'debt-repaid')
         and (x.amount is distinct from coalesce(e.amount, 0) or x.status <> 'completed' or x.user_id <> t.user_id)`,
  },
  {
    name: 'every deposit has one row in the history',
    statement: `
      select i.id as subject, 'history says ' || coalesce(x.amount::text, 'nothing') || ' of a deposit of ' || i.received as finding
        from payment_intents i left join transactions x on x.payment_intent_id = i.id and x.type = 'deposit'
       where i.status = 'succeeded' and (x.amount is distinct from i.received or x.status <> 'completed')`,
  },
  {
    name: 'history equals ledger: the rows of a user sum to the cash',
    statement: `
      select a.owner::text as subject, 'cash is ' || a.balance || ' and the history sums to ' || coalesce(x.amount, 0) as finding
        from ledger_accounts a
        left join (select user_id, sum(amount) as amount from transactions where status <> 'failed' group by user_id) x on x.user_id = a.owner
       where a.code = 'customer:cash' and a.balance <> coalesce(x.amount, 0)`,
  },
  {
    name: 'the history shows every withdrawal in its state',
    statement: `
      select w.id::text as subject, 'withdrawal is ' || w.state || ' and the history says ' || coalesce(x.status || ' ' || x.amount, 'nothing') as finding
        from withdrawal_requests w left join transactions x on x.withdrawal_id = w.id and x.type = 'withdrawal'
       where x.amount is distinct from -w.amount
          or x.status is distinct from case when w.state in ('pending', 'in_review') then 'pending'
             when w.state in ('approved', 'submitted') then 'processing' when w.state = 'paid' then 'completed' else 'failed' end`,
  },
]

const BOTS: Check[] = [
  {
    name: 'bot positions equal the control accounts',
    statement: `
      with held as (
        select 'USD' as asset, sum(cash) as amount from bot_positions
        union all select split_part(pair, '/', 1), sum(base) from bot_positions group by 1)
      select a.asset as subject, 'bots own ' || coalesce(h.amount, 0) || ' and the ledger says ' || a.balance || ' ' || a.asset as finding
        from ledger_accounts a left join held h on h.asset = a.asset
       where a.code = 'bots' and a.balance <> coalesce(h.amount, 0)`,
  },
  {
    name: 'a position is what its trades made of it',
    statement: `
      with traded as (
        select t.user_id, t.bot_id, k.pair,
               sum(case k.side when 'buy' then t.quantity else -t.quantity end) as base, coalesce(sum(t.profit), 0) as realised
          from bot_trades t join engine_blocks k on k.id = t.block_id group by 1, 2, 3)
      select p.bot_id || ' ' || p.pair as subject,
             'holds ' || p.base || ', realised ' || p.realised || ' and its trades say ' || coalesce(t.base, 0) || ', ' || coalesce(t.realised, 0) as finding
        from bot_positions p left join traded t on t.user_id = p.user_id and t.bot_id = p.bot_id and t.pair = p.pair
       where p.base <> coalesce(t.base, 0) or p.realised <> coalesce(t.realised, 0)`,
  },
  {
    name: 'the cash of a bot is its investment, its trades and its fees',
    statement: `
      with traded as (
        select t.user_id, t.bot_id, sum(case k.side when 'buy' then -t.total else t.total end) as cash
          from bot_trades t join engine_blocks k on k.id = t.block_id group by 1, 2),
      fees as (select user_id, bot_id, sum(fee_amount) as amount, sum(user_profit) as profit from platform_fees group by 1, 2),
      held as (select user_id, bot_id, sum(cash) as cash, sum(mark) as mark, sum(fees_paid) as paid from bot_positions group by 1, 2),
      returned as (select bot_id, sum(amount) as amount from transactions where type = 'transfer' and amount > 0 group by 1)
      select b.id::text as subject,
             'cash is ' || h.cash || ' and should be ' || (b.invested + coalesce(t.cash, 0) - coalesce(f.amount, 0) - coalesce(r.amount, 0)) as finding
        from trading_bots b join held h on h.user_id = b.user_id and h.bot_id = b.id
        left join traded t on t.user_id = b.user_id and t.bot_id = b.id
        left join fees f on f.user_id = b.user_id and f.bot_id = b.id left join returned r on r.bot_id = b.id
       where h.cash <> b.invested + coalesce(t.cash, 0) - coalesce(f.amount, 0) - coalesce(r.amount, 0) or h.mark <> coalesce(f.profit, 0)
          or h.paid <> coalesce(f.amount, 0)`,
  },
  {
    name: 'every bot was funded with its investment',
    statement: `
      select b.id::text as subject, 'invested ' || b.invested || ' and the ledger moved ' || coalesce(-e.amount, 0) as finding
        from trading_bots b left join ledger_transfers t on t.dedup_key = 'bot:' || b.id || ':fund'
        left join (ledger_entries e join ledger_accounts a on a.id = e.account_id and a.code = 'customer:cash') on e.transfer_id = t.id
       where b.invested is distinct from -e.amount`,
  },
  {
    name: 'a closed bot owns nothing',
    statement: `
      select b.id::text as subject, 'closed with ' || sum(p.cash) || ' USD and coins on ' || count(*) filter (where p.base > 0) || ' pairs' as finding
        from trading_bots b join bot_positions p on p.user_id = b.user_id and p.bot_id = b.id
       where b.status = 'closed' group by b.id having sum(p.cash) <> 0 or bool_or(p.base > 0)`,
  },
  {
    name: 'a sleeve trades as its bot does',
    statement: `
      select p.bot_id || ' ' || p.pair as subject,
             'is ' || p.risk_level || ' and ' || coalesce(p.engine_status, 'new') || ', its bot ' || b.risk_level || ' and ' || coalesce(b.engine_status, 'new') as finding
        from trading_bots b join bot_positions p on p.user_id = b.user_id and p.bot_id = b.id
       where p.risk_level <> b.risk_level or p.engine_status is distinct from b.engine_status`,
  },
]

const BLOCKS: Check[] = [
  {
    name: 'every trade belongs to a block',
    statement: `
      select t.block_id::text as subject, 'a trade of bot ' || t.bot_id || ' names no block' as finding
        from bot_trades t left join engine_blocks k on k.id = t.block_id where k.id is null`,
  },
  {
    name: 'every trade belongs to a position',
    statement: `
      select t.bot_id || ' ' || t.block_id as subject, 'a trade on ' || k.pair || ' has no position' as finding
        from bot_trades t join engine_blocks k on k.id = t.block_id
        left join bot_positions p on p.user_id = t.user_id and p.bot_id = t.bot_id and p.pair = k.pair
       where p.bot_id is null`,
  },
  {
    name: 'every fee belongs to a sale',
    statement: `
      select f.block_id || ' ' || f.bot_id as subject, 'a fee of ' || f.fee_amount || ' has no sale' as finding
        from platform_fees f left join bot_trades t on t.user_id = f.user_id and t.block_id = f.block_id and t.bot_id = f.bot_id
       where t.profit is null`,
  },
  {
    name: 'the trades of a block equal what the ledger allocated',
    statement: `
      with traded as (select block_id, sum(quantity) as quantity, sum(total) as total from bot_trades group by 1),
      booked as (
        select split_part(t.dedup_key, ':', 2)::uuid as block_id, abs(sum(e.amount) filter (where e.asset <> 'USD')) as quantity,
               abs(sum(e.amount) filter (where e.asset = 'USD')) as total
          from ledger_transfers t join ledger_entries e on e.transfer_id = t.id join ledger_accounts a on a.id = e.account_id
         where t.kind = 'block-allocated' and a.code = 'bots' group by 1)
      select coalesce(t.block_id, b.block_id)::text as subject, 'trades of ' || coalesce(t.quantity, 0) || ' for ' || coalesce(t.total, 0)
             || ' and the ledger allocated ' || coalesce(b.quantity, 0) || ' for ' || coalesce(b.total, 0) as finding
        from traded t full join booked b using (block_id)
       where t.quantity is distinct from b.quantity or t.total is distinct from b.total`,
  },
  {
    name: 'nothing stays in clearing once its blocks are allocated',
    statement: `
      select asset as subject, 'clearing holds ' || balance || ' ' || asset || ' and no block is under way' as finding
        from ledger_accounts
       where code = 'trade:clearing' and balance <> 0 and not exists (select from engine_blocks where state = 'filled')`,
  },
  {
    name: 'platform fees equal the fee income',
    statement: `
      select 'fees:income' as subject, 'income is ' || a.balance || ' and charged fees ' || f.amount as finding
        from ledger_accounts a, (select coalesce(sum(fee_amount), 0) as amount from platform_fees) f
       where a.code = 'fees:income' and a.balance <> f.amount`,
  },
  {
    name: 'a fee is its share of the profit, floored',
    statement: `
      select f.block_id || ' ' || f.bot_id as subject, 'fee ' || f.fee_amount || ' of profit ' || f.user_profit as finding
        from platform_fees f where f.fee_amount <> div(f.user_profit::numeric * f.fee_bps, 10000)`,
  },
]

/** Everything that must hold between the tables, recomputed from the entries and rows themselves. */
export const CHECKS: readonly Check[] = [...LEDGER, ...RAILS, ...BOTS, ...BLOCKS]
