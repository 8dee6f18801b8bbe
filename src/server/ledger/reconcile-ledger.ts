/** An invariant, and the statement that lists every row that violates it as (subject, finding). */
export type Check = { name: string; statement: string }

/** Invariants of the ledger itself, and of its owners: users or the house. */
export const LEDGER: readonly Check[] = [
  {
    name: 'entries of every transfer sum to zero in every asset',
    statement: `
      select transfer_id::text as subject, 'entries sum to ' || sum(amount) || ' in ' || asset
             as finding
        from ledger_entries group by user_id, transfer_id, asset having sum(amount) <> 0`,
  },
  {
    name: 'every transfer has entries',
    statement: `
      select t.id::text as subject, 'transfer ' || t.dedup_key || ' has no entries' as finding
        from ledger_transfers t
       where not exists (select 1 from ledger_entries e where e.user_id = t.user_id
             and e.transfer_id = t.id)`,
  },
  {
    name: 'every entry has its transfer and its account',
    statement: `
      select e.transfer_id::text as subject,
             'entry on account ' || e.account_id || ' lacks its transfer or account' as finding
        from ledger_entries e left join ledger_transfers t on t.user_id = e.user_id
         and t.id = e.transfer_id
        left join ledger_accounts a on a.user_id = e.user_id and a.id = e.account_id
         and a.asset = e.asset
       where t.id is null or a.id is null`,
  },
  {
    name: 'every balance is the sum of its entries',
    statement: `
      select a.id::text as subject, a.code || ' holds ' || a.balance || ' and its entries ' ||
             coalesce(e.amount, 0) || ' ' || a.asset as finding
        from ledger_accounts a
        left join (
          select user_id, account_id, sum(amount) as amount from ledger_entries
           group by user_id, account_id) e
          on e.user_id = a.user_id and e.account_id = a.id
       where a.balance <> coalesce(e.amount, 0)`,
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
      select u.id::text as subject, 'user has ' || count(a.id) || ' accounts instead of 3'
             as finding
        from users u left join ledger_accounts a on a.user_id = u.id and a.code like 'customer:%'
       group by u.id having count(a.id) <> 3`,
  },
  {
    name: 'every account and transfer is of a user or of the house',
    statement: `
      select o.user_id::text as subject, o.what || ' of nobody' as finding
        from (select user_id, 'account ' || code as what from ledger_accounts union all
             select user_id, 'transfer ' || dedup_key from ledger_transfers) o
       where o.user_id <> '00000000-0000-0000-0000-000000000000'
         and not exists (select 1 from users u where u.id = o.user_id)`,
  },
  {
    name: 'names, emails and wallets are listed under the user who has them',
    statement: `
      with owned as (
        select id as user_id, 'name' as what from users
        union all select id, 'email' from users where email_verified_at is not null
        union all select user_id, 'wallet ' || lower(wallet_address) from crypto_wallets
        where is_connected),
      listed as (
        select user_id, 'name' as what from usernames union all select user_id, 'email' from emails
         where released_at is null
        union all select user_id, 'wallet ' || address_key from connected_wallets)
      select coalesce(o.user_id, l.user_id)::text as subject,
             coalesce(o.what, l.what) || ': has ' || coalesce(o.count,
             0) || ' and ' || coalesce(l.count, 0) || ' are listed' as finding
        from (select user_id, what, count(*) as count from owned group by 1, 2) o
        full join (select user_id, what, count(*) as count from listed group by 1, 2) l
        on l.user_id = o.user_id and l.what = o.what
       where o.count is distinct from l.count`,
  },
]
