const NAMES: Record<string, string> = {
  'customer:cash': 'Your cash',
  'customer:hold': 'Held for withdrawals',
  'customer:receivable': 'Owed by you',
  bots: 'Your bots',
  venue: 'Trading venue',
  'card:clearing': 'Card provider',
  'payout:clearing': 'Payout on its way',
  bank: 'Bank',
  'fees:income': 'Our fee',
  rounding: 'Rounding',
}

/** The name of a ledger account on receipts; an account without one keeps its ledger name. */
export function accountName(account: string): string {
  return NAMES[account] ?? account
}
