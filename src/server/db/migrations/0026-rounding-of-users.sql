-- What pools rounded away of a user's money, and the house adds to whole cents when it leaves a bot, is in an account of that user.
alter table ledger_accounts
  drop constraint ledger_accounts_code,
  add constraint ledger_accounts_code check (case
    when code in ('customer:cash', 'customer:hold', 'customer:receivable') then user_id <> '00000000-0000-0000-0000-000000000000'
    when code in ('venue', 'pool', 'interest') then user_id = '00000000-0000-0000-0000-000000000000'
    else code in ('bots', 'card:clearing', 'payout:clearing', 'bank', 'fees:income', 'rounding') end);
