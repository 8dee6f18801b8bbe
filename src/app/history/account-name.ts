const NAMES: Record<string, string> = {
  'customer:cash': 'your cash',
  'customer:hold': 'money held for withdrawals',
  'customer:receivable': 'what you owe',
  bots: 'your bots',
  venue: 'the trading venue',
  'card:clearing': 'the card provider',
  'payout:clearing': 'the payout on its way',
  bank: 'your bank',
  'fees:income': 'our fee',
  rounding: 'rounding',
}

/** Where a ledger line takes money from or puts it: 'To your bots'. An account without a name keeps that of the ledger. */
export function lineName({ account, amount }: { account: string; amount: string }): string {
  return `${amount.startsWith('-') ? 'From' : 'To'} ${NAMES[account] ?? account}`
}
