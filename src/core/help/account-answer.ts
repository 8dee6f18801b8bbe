import { moneyText } from '#core/money/text.ts'

/** Figures as the ledger has them: decimal strings that are printed and never computed with. */
export type BalanceFigures = { totalBalance: string; availableBalance: string; heldBalance: string; investedBalance: string }
export type BotFigures = { name: string; status: string; equity: string; investmentAmount: string; totalProfit: string; totalReturn: string }
export type WithdrawalFigures = { amount: string; status: string; state: string; bankName: string; accountNumber: string; createdAt: string }
export type DepositFigures = { amount: string; status: string; createdAt: string }

/** Longer lists are on their screens. */
const SHOWN = 10

export function balanceAnswer({ totalBalance, availableBalance, heldBalance, investedBalance }: BalanceFigures): string {
  return [
    `Your total balance is ${usdText(totalBalance)}:`,
    '',
    `- Available cash: ${usdText(availableBalance)}`,
    `- Held for withdrawals: ${usdText(heldBalance)}`,
    `- In bots, at the last price: ${usdText(investedBalance)}`,
    '',
    'Only available cash can be withdrawn or invested.',
  ].join('\n')
}

export function botsAnswer(bots: readonly BotFigures[]): string {
  if (bots.length === 0) return 'You have no bots at the moment. You can create one on Bots.'
  const lines = bots.map(
    ({ name, status, equity, investmentAmount, totalProfit, totalReturn }) =>
      `- ${quoted(name)}: ${status}, worth ${usdText(equity)}, invested ${usdText(investmentAmount)}, ` +
      `result after fees ${signedUsdText(totalProfit)} (${totalReturn.replace('-', '−')}%)`,
  )
  return [`You have ${counted(bots.length, 'bot')}, at the last price:`, '', ...shortened(lines, 'Bots')].join('\n')
}

export function withdrawalsAnswer(withdrawals: readonly WithdrawalFigures[]): string {
  if (withdrawals.length === 0) return 'You have made no withdrawals yet.'
  const lines = withdrawals.map(
    ({ amount, status, state, bankName, accountNumber, createdAt }) =>
      `- ${usdText(amount)} to ${quoted(bankName)} •••• ${accountNumber}, ${dayText(createdAt)}: ${statusText({ status, state })}`,
  )
  return [`You have made ${counted(withdrawals.length, 'withdrawal')}, the newest first:`, '', ...shortened(lines, 'History')].join('\n')
}

/** `more` where there are older ones than those given. */
export function depositsAnswer(deposits: readonly DepositFigures[], more: boolean): string {
  if (deposits.length === 0) return 'You have made no deposits yet.'
  const lines = deposits.map(({ amount, status, createdAt }) => `- ${usdText(amount)}, ${dayText(createdAt)}: ${status}`)
  const count = more ? `more than ${counted(deposits.length, 'deposit')}` : counted(deposits.length, 'deposit')
  return [`You have made ${count}, the newest first:`, '', ...shortened(lines, 'History')].join('\n')
}

function shortened(lines: readonly string[], screen: string): string[] {
  if (lines.length <= SHOWN) return [...lines]
  return [...lines.slice(0, SHOWN), '', `The others are on ${screen}.`]
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/** The exact state where it says more than the status. */
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
 * A name that somebody typed, as data. Threat: a name that looks like a line or a sentence of ours, or turns the text around; so it stays
 * on its line, inside marks that it cannot close.
 */
export function quoted(name: string): string {
  const flat = name.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').replaceAll(/["“”„«»]/g, "'")
  return `“${flat.trim()}”`
}
