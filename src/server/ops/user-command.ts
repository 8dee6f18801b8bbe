import { moneyText } from '#core/money/text.ts'
import { Refusal } from '#core/refusal.ts'
import { auditCommand } from '#server/audit.ts'
import { readUserId } from '#server/auth/get-user.ts'
import { readBots } from '#server/bots/list-bots.ts'
import { readBalances } from '#server/holdings/balances.ts'
import { readOwed } from '#server/ledger/read.ts'
import type { Command } from './command.ts'

export const userCommand: Command = async (context, [name = '']) => {
  if (name === '') throw new Refusal('invalid-input', { sentence: 'Give the username: npm run ops -- user NAME' })
  const { sql } = context
  const userId = await readUserId(sql, name)
  if (userId === undefined) throw new Refusal('not-found', { sentence: `There is no user ${name}.` })
  await auditCommand(context, { action: 'user.show', subject: userId })
  const [balances, owed, bots] = await Promise.all([readBalances(sql, userId), readOwed(sql, userId), readBots(sql, userId)])
  const lines = [
    `${name}  ${userId}`,
    `cash      ${moneyText({ amount: balances.cash })}`,
    `held      ${moneyText({ amount: balances.hold })}`,
    `invested  ${moneyText({ amount: balances.invested })}`,
    ...(owed > 0n ? [`owes      ${moneyText({ amount: owed })}: withdrawals are paused`] : []),
    ...bots.map((bot) => `bot ${bot.id}  ${bot.status}  ${bot.riskLevel}  ${moneyText({ amount: bot.equity })} of ${moneyText({ amount: bot.investmentAmount })}  ${bot.name}`),
  ]
  return { lines, ok: true }
}
