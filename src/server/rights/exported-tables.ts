export type ExportedTable = {
  table: string
  /** The table's name in the file. */
  name: string
  /** The column with the user. */
  owner: 'user_id' | 'id'
  /** The key's columns after the owner: portions are read in their order. */
  key: readonly string[]
  columns: readonly string[]
}

const table = (
  name: string,
  key: readonly string[],
  [from, columns]: [string, string],
): ExportedTable => ({
  table: from,
  name,
  owner: from === 'users' ? 'id' : 'user_id',
  key,
  columns: columns.split(' '),
})

/**
 * Columns that a user gets. Hashes, keys and sealed texts are left out; a test compares with the
 * schema.
 */
export const EXPORTED_TABLES: readonly ExportedTable[] = [
  table(
    'profile',
    ['id'],
    [
      'users',
      'id username email email_verified_at pending_email first_name last_name ' +
        'profile_image_url stripe_customer_id stripe_subscription_id language created_at ' +
        'updated_at closed_at frozen_at',
    ],
  ),
  table('verifiedEmails', ['email'], ['verified_emails', 'email verified_at released_at']),
  table('sessions', ['id'], ['sessions', 'id user_agent created_at last_seen_at expires_at']),
  table(
    'programKeys',
    ['id'],
    [
      'program_keys',
      'id name scope networks most_bots daily_amount created_at expires_at last_used_at',
    ],
  ),
  table('programKeyBots', ['bot_id'], ['program_key_bots', 'key_id bot_id amount created_at']),
  table('passkeys', ['id'], ['passkeys', 'id name transports counter created_at last_used_at']),
  table('authenticators', ['last_step'], ['authenticators', 'started_at confirmed_at']),
  table('recoveryCodes', ['code_hash'], ['recovery_codes', 'created_at used_at replaced_at']),
  table('withdrawalHolds', ['id'], ['withdrawal_holds', 'id reason until created_at lifted_at']),
  table(
    'withdrawalProtections',
    ['delay_hours'],
    [
      'withdrawal_protections',
      'delay_hours daily_limit allowed_only next_delay_hours next_daily_limit ' +
        'next_allowed_only next_from',
    ],
  ),
  table(
    'withdrawalProtectionChanges',
    ['changed_at'],
    ['withdrawal_protection_changes', 'changed_at delay_hours daily_limit allowed_only'],
  ),
  table(
    'bankAccounts',
    ['id'],
    [
      'bank_accounts',
      'id bank_name account_number_last4 routing_number account_type is_default created_at ' +
        'removed_at allowed_from',
    ],
  ),
  table('bankAccountDefaults', ['since'], ['bank_account_defaults', 'bank_account_id since']),
  table(
    'deposits',
    ['id'],
    [
      'payment_intents',
      'id provider amount status received refunded disputed created_at credited_at',
    ],
  ),
  table(
    'withdrawals',
    ['id'],
    [
      'withdrawal_requests',
      'id bank_account_id amount state payout_provider provider_reference created_at ' +
        'updated_at processed_at send_after review_reasons',
    ],
  ),
  table(
    'withdrawalApprovals',
    ['withdrawal_id', 'operator'],
    ['withdrawal_approvals', 'withdrawal_id created_at'],
  ),
  table(
    'bankFileLines',
    ['withdrawal_id'],
    ['payout_batch_lines', 'withdrawal_id batch position bank_account_id name amount'],
  ),
  table(
    'transactions',
    ['id'],
    [
      'transactions',
      'id type amount currency status description metadata payment_intent_id withdrawal_id ' +
        'bot_id transfer_id created_at',
    ],
  ),
  table('ledgerAccounts', ['id'], ['ledger_accounts', 'id code asset balance']),
  table('ledgerTransfers', ['id'], ['ledger_transfers', 'id kind event_time recorded_at']),
  table(
    'ledgerEntries',
    ['transfer_id', 'account_id'],
    ['ledger_entries', 'transfer_id account_id asset amount'],
  ),
  table(
    'bots',
    ['id'],
    [
      'trading_bots',
      'id name risk_level strategy fee_bps trading_pairs invested status pending taking_bps ' +
        'taking_invested is_taken_by_plan changing created_at updated_at closed_at market_start',
    ],
  ),
  table(
    'botGuards',
    ['bot_id'],
    [
      'bot_guards',
      'bot_id stop_loss_bps stop_loss_from take_profit_bps daily_loss_bps cool_down_days ' +
        'start best day_start day',
    ],
  ),
  table('botStops', ['bot_id', 'at'], ['bot_stops', 'bot_id at guard change_bps back_at ended_at']),
  table(
    'botHoldings',
    ['bot_id', 'pool'],
    ['sleeves', 'bot_id pool status cash base units leaving taken joined offered paid paid_base'],
  ),
  table(
    'botStays',
    ['bot_id', 'pool', 'joined'],
    [
      'sleeve_stays',
      'bot_id pool joined left_with units offered redeemed paid paid_base cash_out base_out',
    ],
  ),
  table(
    'botPlans',
    ['bot_id'],
    ['bot_plans', 'bot_id id amount every line start_at period due_at is_short created_at'],
  ),
  table(
    'botPlanRuns',
    ['bot_id', 'plan_id', 'period'],
    [
      'bot_plan_runs',
      'bot_id plan_id period outcome amount taking_bps transfer_id market_time created_at',
    ],
  ),
  table(
    'platformFees',
    ['bot_id', 'id'],
    ['platform_fees', 'bot_id id user_profit fee_amount fee_bps trade created_at'],
  ),
  table(
    'wallets',
    ['id'],
    [
      'crypto_wallets',
      'id wallet_address wallet_type chain_id chain_name is_connected last_balance ' +
        'last_balance_check connected_at disconnected_at',
    ],
  ),
  table('notices', ['id'], ['notices', 'id kind details in_inbox created_at read_at']),
  table(
    'messages',
    ['id'],
    [
      'deliveries',
      'id channel kind details address webhook_id state attempts answer created_at sent_at ' +
        'link_used_at',
    ],
  ),
  table('pushDevices', ['id'], ['push_subscriptions', 'id user_agent created_at ended_at']),
  table(
    'webhooks',
    ['id'],
    ['webhooks', 'id address topics created_at earlier_until failing_since disabled_at'],
  ),
  table('noticeChoices', ['topic', 'channel'], ['notice_preferences', 'topic channel is_on']),
  table(
    'noticeSettings',
    ['push_amounts'],
    ['notice_settings', 'push_amounts loss_limit loss_reported'],
  ),
  table('weeklyTotals', ['week'], ['digest_totals', 'week deposited withdrawn fees result']),
]

/** Columns of whole numbers that are no amounts of money. */
export const COUNTS: ReadonlySet<string> = new Set([
  'id',
  'accountId',
  'chainId',
  'counter',
  'pool',
  'joined',
  'leftWith',
])
