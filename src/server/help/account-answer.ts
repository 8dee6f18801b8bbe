import { digitsText, locale, moneyText, withPercent } from '#words/figures.ts'
import { msg, say, t, tCount } from '#words/words.ts'

/** Decimal strings from the ledger, printed and never computed with. */
type BalanceFigures = {
  totalBalance: string
  availableBalance: string
  heldBalance: string
  investedBalance: string
}
export type BotFigures = {
  name: string
  status: string
  equity: string
  investmentAmount: string
  totalProfit: string
  totalReturn: string
}
type WithdrawalFigures = {
  amount: string
  status: string
  state: string
  bankName: string
  accountNumber: string
  createdAt: string
}
type DepositFigures = { amount: string; status: string; createdAt: string }

/** Maximum rows of a list; a screen shows the rest. */
const SHOWN = 10

/** States of bots, deposits and withdrawals, as the screens name them. */
const STATES: Record<string, string> = {
  active: msg('active'),
  paused: msg('paused'),
  stopped: msg('stopped'),
  closing: msg('closing'),
  pending: msg('pending'),
  processing: msg('processing'),
  completed: msg('completed'),
  failed: msg('failed'),
  in_review: msg('in review'),
  approved: msg('approved'),
  submitted: msg('submitted'),
  returned: msg('returned'),
  canceled: msg('canceled'),
  rejected: msg('rejected'),
}

export function balanceAnswer({
  totalBalance,
  availableBalance,
  heldBalance,
  investedBalance,
}: BalanceFigures): string {
  return [
    t('Your total balance is {amount}:', { amount: usdText(totalBalance) }),
    '',
    `- ${t('Available cash: {amount}', { amount: usdText(availableBalance) })}`,
    `- ${t('Held for withdrawals: {amount}', { amount: usdText(heldBalance) })}`,
    `- ${t('In bots, at the last price: {amount}', { amount: usdText(investedBalance) })}`,
    '',
    t('You can only withdraw or invest available cash.'),
  ].join('\n')
}

export function botsAnswer(bots: readonly BotFigures[]): string {
  if (bots.length === 0)
    return t('You have no bots right now. You can create one on the Bots screen.')
  const lines = bots.map(({ name, status, equity, investmentAmount, totalProfit, totalReturn }) =>
    t('{name}: {status}, worth {equity}, invested {invested}, {profit} ({share}) after fees', {
      name: quoted(name),
      status: stateText(status),
      equity: usdText(equity),
      invested: usdText(investmentAmount),
      profit: signedUsdText(totalProfit),
      share: withPercent(digitsText(totalReturn.replace('-', '−'))),
    }),
  )
  const title = tCount(bots.length, {
    one: 'You have {count} bot, valued at the last price:',
    other: 'You have {count} bots, valued at the last price:',
  })
  return [title, '', ...shortened(lines, t('See the rest on the Bots screen.'))].join('\n')
}

export function withdrawalsAnswer(withdrawals: readonly WithdrawalFigures[]): string {
  if (withdrawals.length === 0) return t("You haven't made any withdrawals yet.")
  const lines = withdrawals.map(({ amount, status, state, bankName, accountNumber, createdAt }) =>
    t('{amount} to {bank}, {day}: {status}', {
      amount: usdText(amount),
      bank: `${quoted(bankName)} •••• ${accountNumber}`,
      day: dayText(createdAt),
      status: statusText({ status, state }),
    }),
  )
  const title = tCount(withdrawals.length, {
    one: 'You have made {count} withdrawal, newest first:',
    other: 'You have made {count} withdrawals, newest first:',
  })
  return [title, '', ...shortened(lines, restInHistory())].join('\n')
}

export function depositsAnswer(deposits: readonly DepositFigures[], more: boolean): string {
  if (deposits.length === 0) return t("You haven't made any deposits yet.")
  const lines = deposits.map(({ amount, status, createdAt }) =>
    t('{amount}, {day}: {status}', {
      amount: usdText(amount),
      day: dayText(createdAt),
      status: stateText(status),
    }),
  )
  const count = deposits.length
  const title = more
    ? tCount(count, {
        one: 'You have made more than {count} deposit, newest first:',
        other: 'You have made more than {count} deposits, newest first:',
      })
    : tCount(count, {
        one: 'You have made {count} deposit, newest first:',
        other: 'You have made {count} deposits, newest first:',
      })
  return [title, '', ...shortened(lines, restInHistory())].join('\n')
}

const restInHistory = (): string => t('See the rest on the History screen.')

function shortened(lines: readonly string[], rest: string): string[] {
  const points = lines.map((line) => `- ${line}`)
  return points.length <= SHOWN ? points : [...points.slice(0, SHOWN), '', rest]
}

/** A status in words, with the exact state if that is more specific. */
function statusText({ status, state }: { status: string; state: string }): string {
  const known = ['pending', 'paid', 'failed'].includes(state)
  return known ? stateText(status) : `${stateText(status)} (${stateText(state)})`
}

function stateText(state: string): string {
  return say(STATES[state] ?? state)
}

/** '1234.50' as '$1,234.50', '-9.88' as '−$9.88' in the reader's spelling. */
export function usdText(amount: string): string {
  return moneyText({ amount })
}

function signedUsdText(amount: string): string {
  return amount.startsWith('-') || /^0+\.0+$/.test(amount) ? usdText(amount) : `+${usdText(amount)}`
}

function dayText(moment: string): string {
  return new Intl.DateTimeFormat(locale(), { dateStyle: 'medium', timeZone: 'UTC' }).format(
    new Date(moment),
  )
}

/**
 * Quotes a name that a user typed. Threat: a name that imitates a line or sentence of ours, or
 * reverses the text direction. The name stays on one line, inside quotation marks that it cannot
 * close.
 */
export function quoted(name: string): string {
  const flat = name.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').replaceAll(/["“”„«»]/g, "'")
  return t('“{name}”', { name: flat.trim() })
}
