import { checkCount } from '#core/count-limits.ts'
import { assert, required } from '#core/assert.ts'
import { checkInvestment, checkStrategy, checkTopUp, switchBot } from '#core/bots/bot.ts'
import { checkChange, isSameSettings } from '#core/bots/change-settings.ts'
import { checkTakeOut, partInBps, type TakeOutStanding } from '#core/bots/take-out.ts'
import { repayDebt, settlePayment, type CashAndDebt } from '#core/deposits/settlement.ts'
import { botFunded, withdrawalHeld } from '#core/ledger/movements.ts'
import type { Pair } from '#core/market/pair.ts'
import type { Units } from '#core/money/amount.ts'
import { Refusal } from '#core/refusal.ts'
import type { RiskLevel } from '#core/strategy/risk-level.ts'
import { choiceOf, strategyKey, type StrategyKey } from '#core/strategy/strategy-key.ts'
import { splitInvestment } from '#core/trading/position.ts'
import {
  advanceWithdrawal,
  checkWithdrawal,
  refuseDebtor,
  type WithdrawalAction,
} from '#core/withdrawals/withdrawal.ts'
import {
  balanceOf,
  book,
  isSynced,
  poolFor,
  type Bot,
  type Intent,
  type Model,
  type Sleeve,
} from './model.ts'

/**
 * Actions of users and operators. If core's rules refuse one, it returns the refusal and changes
 * nothing.
 */

export type Code = Refusal['code'] | undefined

function refusalOf(rule: () => void): Code {
  try {
    rule()
    return undefined
  } catch (error) {
    if (error instanceof Refusal) return error.code
    throw error
  }
}

const cashOf = (model: Model, userId: string): Units => balanceOf(model, userId, 'customer:cash')

function fundsOf(model: Model, userId: string): CashAndDebt {
  return { cash: cashOf(model, userId), owed: -balanceOf(model, userId, 'customer:receivable') }
}

type NewBot = { userId: string; strategy: StrategyKey; pairs: readonly Pair[]; invested: Units }

export function mayCreateBot(model: Model, { userId, invested }: NewBot): Code {
  return refusalOf(() => {
    checkInvestment({ amount: invested, available: cashOf(model, userId) })
    checkCount('too-many-bots', openBots(model, userId).length)
  })
}

export function openBots({ bots }: Model, userId: string): Bot[] {
  return [...bots.values()].filter((bot) => bot.userId === userId && bot.status !== 'closed')
}

export function createBot(
  model: Model,
  { id, userId, strategy, pairs, invested }: NewBot & { id: string },
): void {
  const bot: Bot = {
    id,
    userId,
    strategy,
    pairs,
    invested,
    pending: 0n,
    status: 'active',
    takingBps: null,
    engineStatus: null,
    engineTakingBps: null,
    changing: null,
    engineChanging: null,
    sleeves: [],
  }
  const cash = splitInvestment({ invested, count: pairs.length })
  bot.sleeves = pairs.map((pair, at) =>
    newSleeve(bot, {
      pool: poolFor(model, { pair, strategy }),
      cash: required(cash[at], 'a part for each pair'),
    }),
  )
  model.bots.set(id, bot)
  book(model, botFunded({ userId, amount: invested }))
}

function newSleeve(bot: Bot, { pool, cash }: Pick<Sleeve, 'pool' | 'cash'>): Sleeve {
  const nothing = {
    base: 0n,
    units: 0n,
    leaving: 0n,
    taken: 0n,
    joined: 0n,
    offered: 0n,
    paid: 0n,
    paidBase: 0n,
  }
  const sleeve: Sleeve = { bot, pool, status: 'new', cash, ...nothing }
  pool.sleeves.add(sleeve)
  return sleeve
}

export function changeBot(
  model: Model,
  { id, riskLevel, pairs }: Pick<Bot, 'id' | 'pairs'> & { riskLevel: RiskLevel },
): Code {
  const bot = botOf(model, id)
  if (!bot) return 'not-found'
  const choice = choiceOf(bot.strategy)
  return refusalOf(() => {
    const strategy = strategyKey(checkStrategy({ ...choice, riskLevel }))
    if (isSameSettings({ riskLevel, tradingPairs: pairs }, { ...choice, tradingPairs: bot.pairs }))
      return
    checkChange(standing(bot))
    Object.assign(bot, { changing: bot.pairs.length, strategy, pairs })
    const pools = pairs
      .map((pair) => poolFor(model, { pair, strategy }))
      .filter((pool) => !bot.sleeves.some((sleeve) => sleeve.pool === pool))
    bot.sleeves.push(...pools.map((pool) => newSleeve(bot, { pool, cash: 0n })))
  })
}

export function switchOf(model: Model, { id, isActive }: { id: string; isActive: boolean }): Code {
  const bot = botOf(model, id)
  if (!bot) return 'not-found'
  return refusalOf(() => {
    bot.status = switchBot(standing(bot), isActive)
  })
}

/** Undefined for a closed bot. */
function botOf({ bots }: Model, id: string): Bot | undefined {
  const bot = bots.get(id)
  return bot?.status === 'closed' ? undefined : bot
}

export function closeBot(model: Model, id: string): Code {
  const bot = botOf(model, id)
  if (!bot) return 'not-found'
  if (bot.status !== 'closing')
    Object.assign(bot, { status: 'closing', takingBps: null, changing: null })
  return undefined
}

export function stopAll(model: Model, userId: string): Code {
  for (const bot of openBots(model, userId)) closeBot(model, bot.id)
  return undefined
}

export function topUp(model: Model, { id, amount }: { id: string; amount: Units }): Code {
  const bot = botOf(model, id)
  if (!bot) return 'not-found'
  const { userId } = bot
  const code = refusalOf(() => {
    checkTopUp(standing(bot))
    checkInvestment({ amount, available: cashOf(model, userId), field: 'amount' })
  })
  if (code !== undefined) return code
  bot.invested += amount
  bot.pending += amount
  book(model, botFunded({ userId, amount }))
  return undefined
}

const UNSETTLED: ReadonlySet<string> = new Set(['new', 'resuming', 'pausing', 'leaving'])

function standing(bot: Bot): TakeOutStanding {
  return {
    ...bot,
    isChanging: bot.changing !== null,
    isSettled: isSynced(bot) && !bot.sleeves.some(({ status }) => UNSETTLED.has(status)),
  }
}

export function takeOut(model: Model, { id, percent }: { id: string; percent: number }): Code {
  const bot = botOf(model, id)
  if (!bot) return 'not-found'
  return refusalOf(() => {
    checkTakeOut(standing(bot))
    bot.takingBps = partInBps(percent)
  })
}

/** Books a payment as the card provider reports it. */
export function settlePaid(
  model: Model,
  { id, received, refunded, disputed }: Omit<Intent, 'userId' | 'amount'>,
): void {
  const intent = required(model.intents.get(id), 'a payment')
  const truth = { received, refunded, disputed }
  const { userId } = intent
  for (const { movement } of settlePayment({
    userId,
    booked: intent,
    truth,
    funds: fundsOf(model, userId),
  }))
    book(model, movement)
  if (received !== null) Object.assign(intent, truth)
}

/** Repays debts with cash that did not come from a deposit. */
export function repayDebts(model: Model, userIds: readonly string[]): void {
  for (const userId of userIds) {
    const booking = repayDebt({ userId, funds: fundsOf(model, userId) })
    if (booking) book(model, booking.movement)
  }
}

export function mayWithdraw(
  model: Model,
  { userId, amount, hasAccount }: { userId: string; amount: Units; hasAccount: boolean },
): Code {
  return refusalOf(() => {
    const { cash, owed } = fundsOf(model, userId)
    checkWithdrawal({ amount, available: cash, owed, holds: [] })
    if (!hasAccount) throw new Refusal('bank-account-required')
  })
}

export function withdraw(
  model: Model,
  { id, userId, amount }: { id: string; userId: string; amount: Units },
): void {
  model.withdrawals.set(id, { id, userId, amount, state: 'pending' })
  book(model, withdrawalHeld({ userId, amount }))
}

export function act(model: Model, { id, action }: { id: string; action: WithdrawalAction }): Code {
  const withdrawal = model.withdrawals.get(id)
  assert(withdrawal, 'a requested withdrawal')
  const { userId } = withdrawal
  return refusalOf(() => {
    const { state, movement } = advanceWithdrawal({ waitsFor: null, ...withdrawal }, action)
    if (action === 'approve' || action === 'submit') refuseDebtor(fundsOf(model, userId).owed)
    withdrawal.state = state
    if (movement) book(model, movement)
  })
}

/** The sandbox pays all waiting withdrawals, except those of debtors that are not submitted yet. */
export function payOut(model: Model): void {
  for (const { id } of model.withdrawals.values()) {
    for (const [from, action] of [
      ['pending', 'approve'],
      ['approved', 'submit'],
      ['submitted', 'mark-paid'],
    ] as const) {
      if (model.withdrawals.get(id)?.state === from) act(model, { id, action })
    }
  }
}
