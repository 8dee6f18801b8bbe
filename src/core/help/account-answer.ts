import { moneyText } from '#core/money/text.ts'

/** Figures as the ledger has them: decimal strings that are printed and never computed with. */
export type BalanceFigures = { totalBalance: string; availableBalance: string; heldBalance: string; investedBalance: string }
export type BotFigures = { name: string; status: string; equity: string; investmentAmount: string; totalProfit: string; totalReturn: string }
export type WithdrawalFigures = { amount: string; status: string; state: string; bankName: string; accountNumber: string; createdAt: string }
export type DepositFigures = { amount: string; status: string; createdAt: string }

/** Maximum rows of a list; a screen shows the rest. */
const SHOWN = 10

export function balanceAnswer({ totalBalance, availableBalance, heldBalance, investedBalance }: BalanceFigures): string {
  return [
    `Your total balance is ${usdText(totalBalance)}:`,
    '',
    `- Available cash: ${usdText(availableBalance)}`,
    `- Held for withdrawals: ${usdText(heldBalance)}`,
    `- In bots, at the last price: ${usdText(investedBalance)}`,
    '',
    'You can only withdraw or invest available cash.',
  ].join('\n')
}

export function botsAnswer(bots: readonly BotFigures[]): string {
  if (bots.length === 0) return 'You have no bots right now. You can create one on the Bots screen.'
  const lines = bots.map(
    ({ name, status, equity, investmentAmount, totalProfit, totalReturn }) =>
      `- ${quoted(name)}: ${status}, worth ${usdText(equity)}, invested ${usdText(investmentAmount)}, ` +
      `${signedUsdText(totalProfit)} (${totalReturn.replace('-', '−')}%) after fees`,
  )
  return [`You have ${counted(bots.length, 'bot')}, valued at the last price:`, '', ...shortened(lines, 'Bots')].join('\n')
}

export function withdrawalsAnswer(withdrawals: readonly WithdrawalFigures[]): string {
  if (withdrawals.length === 0) return "You haven't made any withdrawals yet."
  const lines = withdrawals.map(
    ({ amount, status, state, bankName, accountNumber, createdAt }) =>
      `- ${usdText(amount)} to ${quoted(bankName)} •••• ${accountNumber}, ${dayText(createdAt)}: ${statusText({ status, state })}`,
  )
  return [`You have made ${counted(withdrawals.length, 'withdrawal')}, newest first:`, '', ...shortened(lines, 'History')].join('\n')
}

/** `more` if there are older deposits than these. */
export function depositsAnswer(deposits: readonly DepositFigures[], more: boolean): string {
  if (deposits.length === 0) return "You haven't made any deposits yet."
  const lines = deposits.map(({ amount, status, createdAt }) => `- ${usdText(amount)}, ${dayText(createdAt)}: ${status}`)
  const count = more ? `more than ${counted(deposits.length, 'deposit')}` : counted(deposits.length, 'deposit')
  return [`You have made ${count}, newest first:`, '', ...shortened(lines, 'History')].join('\n')
}

function shortened(lines: readonly string[], screen: string): string[] {
  if (lines.length <= SHOWN) return [...lines]
  return [...lines.slice(0, SHOWN), '', `See the rest on the ${screen} screen.`]
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/** The status, with the exact state if that is more specific. */
function statusText({ status, state }: { status: string; state: string }): string {
  const known = ['pending', 'paid', 'failed'].includes(state)
  return known ? status : `${status} (${state.replace('_', ' ')})`
}

/** '1234.50' as '$1,234.50', '-9.88' as '−$9.88'. */
export function usdText(amount: string): string {
  return moneyText({ amount })
}

function signedUsdText(amount: string): string {
  return amount.startsWith('-') || /^0+\.0+$/.test(amount) ? usdText(amount) : `+${usdText(amount)}`
}

const dayFormat = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })

function dayText(moment: string): string {
  return dayFormat.format(new Date(moment))
}

/**
 * Quotes a name that a user typed. Threat: a name that imitates a line or sentence of ours, or reverses the text direction. The name
 * stays on one line, inside quotation marks that it cannot close.
 */
export function quoted(name: string): string {
  const flat = name.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').replaceAll(/["“”„«»]/g, "'")
  return `“${flat.trim()}”`
}
