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

/** What a ledger account is to the person who reads the receipt; an account without a name here keeps its own. */
export function accountName(account: string): string {
  return NAMES[account] ?? account
}
