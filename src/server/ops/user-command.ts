import { usernameKey } from '#core/auth/credentials.ts'
import { moneyText } from '#core/money/text.ts'
import { Refusal } from '#core/refusal.ts'
import { auditCommand } from '#server/audit.ts'
import { findUserId } from '#server/auth/find-user-id.ts'
import { readBots } from '#server/bots/list-bots.ts'
import { readBalances } from '#server/holdings/balances.ts'
import { readOwed } from '#server/ledger/read.ts'
import type { Command } from './command.ts'

export const userCommand: Command = async (context, [name = '']) => {
  if (name === '') throw new Refusal('invalid-input', { sentence: 'Name the user: npm run ops -- user NAME' })
  const { sql } = context
  const userId = await findUserId(sql, usernameKey(name))
  if (userId === undefined) throw new Refusal('not-found', { sentence: `Nobody is called ${name}.` })
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
