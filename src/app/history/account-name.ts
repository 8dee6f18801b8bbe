import { msg, say, t } from '#words/words.ts'

type Way = { from: string; to: string }

const NAMES: Record<string, Way> = {
  'customer:cash': { from: msg('From your cash'), to: msg('To your cash') },
  'customer:hold': {
    from: msg('From money held for withdrawals'),
    to: msg('To money held for withdrawals'),
  },
  'customer:receivable': { from: msg('From what you owe'), to: msg('To what you owe') },
  bots: { from: msg('From your bots'), to: msg('To your bots') },
  venue: { from: msg('From the trading venue'), to: msg('To the trading venue') },
  'card:clearing': { from: msg('From the card provider'), to: msg('To the card provider') },
  'payout:clearing': {
    from: msg('From the payout on its way'),
    to: msg('To the payout on its way'),
  },
  bank: { from: msg('From your bank'), to: msg('To your bank') },
  'fees:income': { from: msg('From our fee'), to: msg('To our fee') },
  rounding: { from: msg('From rounding'), to: msg('To rounding') },
}

/**
 * Where a ledger line takes money from or puts it: 'To your bots'. An account without a name keeps
 * that of the ledger.
 */
export function lineName({ account, amount }: { account: string; amount: string }): string {
  const isFrom = amount.startsWith('-')
  const name = NAMES[account]
  if (name) return say(isFrom ? name.from : name.to)
  return t(isFrom ? 'From {account}' : 'To {account}', { account })
}
