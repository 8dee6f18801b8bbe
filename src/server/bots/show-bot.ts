import type { Bot } from '#contract/bots.ts'
import type { Units } from '#core/money/amount.ts'
import { figuresOfBot } from '#core/bots/bot-worth.ts'
import { typedOf } from '#core/guards/guard-settings.ts'
import { unitsToDecimal } from '#core/money/decimal.ts'
import { percentOfBps } from '#core/money/percent.ts'
import { choiceOf } from '#core/strategy/strategy-key.ts'
import { closingFee } from '#core/trading/fee.ts'
import type { StoredBot } from './store.ts'

/** Owners take out whole percents, plans basis points. */
const BPS_PER_PERCENT = 100

/** The amount that closing the bot now would return, and its fee. */
export function closingNow({
  worth,
  invested,
  feeBps,
}: Pick<StoredBot, 'worth' | 'invested' | 'feeBps'>): { equity: Units; fee: Units } {
  const { fee } = closingFee({ invested, out: worth, feeBps })
  return { equity: worth - fee, fee }
}

export function showBot(bot: StoredBot): Bot {
  const { id, name, riskLevel, tradingPairs, status, takingBps, feeBps } = bot
  return {
    id,
    name,
    strategy: choiceOf(bot.strategy).strategy,
    riskLevel,
    tradingPairs,
    isActive: status === 'active',
    status: status === 'closed' ? 'active' : status,
    waiting: waitingFor(bot),
    waitingPairs: bot.waitingPairs ?? [],
    takingOutPercent: takingBps === null ? null : takingBps / BPS_PER_PERCENT,
    isChanging: bot.isChanging,
    ...figuresOfBot(bot),
    feeBps,
    plan: showPlan(bot),
    guards: bot.guards && typedOf(bot.guards),
    stop: bot.status === 'stopped' && bot.stop ? showStop(bot.stop, bot.isSelling) : null,
    createdAt: bot.createdAt.toISOString(),
    updatedAt: bot.updatedAt.toISOString(),
  }
}

function showStop(
  { guard, changeBps, at, backAt }: NonNullable<StoredBot['stop']>,
  isSelling: boolean,
): Bot['stop'] {
  const time = (text: string) => new Date(text).toISOString()
  return {
    guard,
    percent: percentOfBps(changeBps),
    at: time(at),
    backAt: backAt === null ? null : time(backAt),
    isSelling,
  }
}

function showPlan({
  planAmount: amount,
  planEvery: every,
  planLine: line,
  planDueAt: dueAt,
  planIsShort: isShort,
}: StoredBot): Bot['plan'] {
  if (amount === null || every === null || dueAt === null) return null
  return {
    amount: unitsToDecimal(amount, 2),
    every,
    takeAbove: line === null ? null : unitsToDecimal(line, 2),
    nextAt: dueAt.toISOString(),
    isShort: isShort === true,
  }
}

function waitingFor({ holdsCoins, isOutOfMarket, ...bot }: StoredBot): Bot['waiting'] {
  if (bot.waitingPairs !== null) return 'sale'
  if (holdsCoins || bot.status !== 'active' || bot.isChanging) return null
  return isOutOfMarket === true ? 'trend' : 'purchase'
}
