import { englishMoneyText } from '#core/money/text.ts'
import {
  endUserSessions,
  freezeUser,
  releaseUserHolds,
  unfreezeUser,
  type Release,
} from '#server/operators/act-on-user.ts'
import type { OperatorContext } from '#server/operators/operator.ts'
import { done, refusal, type Command, type CommandResult } from './command.ts'
import { misused } from './usage.ts'
import { readPerson } from './read-person.ts'

export const userCommand: Command = async (context, [name = '', verb, ...rest]) => {
  if (name === '') throw refusal('Give the username: npm run ops -- user NAME')
  if (verb === undefined) return show(context, name)
  if (verb === 'freeze') {
    const isNew = await freezeUser(context, { username: name, reason: rest.join(' ') })
    return done(
      isNew
        ? `${name} is frozen: signing in and reading go on, payouts wait.`
        : `${name} was frozen already.`,
    )
  }
  if (verb === 'release-holds') {
    return done(
      RELEASED[await releaseUserHolds(context, { username: name, reason: rest.join(' ') })](name),
    )
  }
  if (rest.length > 0 || (verb !== 'unfreeze' && verb !== 'end-sessions')) throw misused('user')
  if (verb === 'end-sessions')
    return done(`${await endUserSessions(context, name)} sessions of ${name} are ended.`)
  return done(
    (await unfreezeUser(context, name))
      ? `${name} is no longer frozen.`
      : `${name} was not frozen.`,
  )
}

const RELEASED: Record<Release, (name: string) => string> = {
  released: (name) =>
    `Withdrawals of ${name} no longer wait, but for the delay that the user may have chosen.`,
  first: (name) =>
    `Withdrawals of ${name} still wait: a second, different operator must release the holds too.`,
  none: (name) => `No hold of ${name} lasts.`,
}

async function show(context: OperatorContext, username: string): Promise<CommandResult> {
  const { name, id, balances, owed, bots, frozen, hold } = await readPerson(context, username)
  const lines = [
    `${name}  ${id}`,
    ...(frozen ? [`frozen    since ${frozen.at.toISOString()}: ${frozen.reason}`] : []),
    `cash      ${englishMoneyText({ amount: balances.cash })}`,
    `held      ${englishMoneyText({ amount: balances.hold })}`,
    `invested  ${englishMoneyText({ amount: balances.invested })}`,
    ...(owed > 0n
      ? [`owes      ${englishMoneyText({ amount: owed })}: withdrawals are paused`]
      : []),
    ...(hold
      ? [
          'hold      withdrawals wait until ' +
            `${hold.until?.toISOString() ?? 'a new password is set by mail'}: ${hold.reason}`,
        ]
      : []),
    ...bots.map(
      (bot) =>
        `bot ${bot.id}  ${bot.status}  ${bot.riskLevel}  ` +
        `${englishMoneyText({ amount: bot.equity })} of ` +
        `${englishMoneyText({ amount: bot.investmentAmount })}  ${bot.name}`,
    ),
  ]
  return done(...lines)
}
