-- Tables whose rows are written once, and tables whose rows are never deleted. Threat: a statement
-- of ours, or one that somebody makes the app run, rewrites what has happened.
do $$ declare name text;
begin
  foreach name in array array['ledger_transfers', 'ledger_entries', 'audit_events', 'book_seals',
    'withdrawal_approvals', 'payout_batches', 'payout_batch_lines', 'pool_changes', 'cash_yields',
    'sleeve_stays', 'platform_fees', 'bot_plan_runs'] loop
    execute format('create trigger %I before update or delete or truncate on %I
      for each statement execute function ledger_refuse_change()', name || '_append_only', name);
  end loop;
  foreach name in array array['ledger_accounts', 'market_clock', 'trading_bots', 'sleeves'] loop
    execute format('create trigger %I before delete or truncate on %I
      for each statement execute function ledger_refuse_change()', name || '_kept', name);
  end loop;
end $$;
