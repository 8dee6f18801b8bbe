import type { Bot, NextStep } from '#contract/bots.ts'
import type { Units } from '#core/money/amount.ts'
import { figuresOfBot } from '#core/bots/bot-worth.ts'
import { guardLevels } from '#core/guards/guard-levels.ts'
import { typedOf } from '#core/guards/guard-settings.ts'
import { ceilToCents } from '#core/money/cents.ts'
import { unitsToDecimal } from '#core/money/decimal.ts'
import { BPS_PER_PERCENT, percentOfBps } from '#core/money/percent.ts'
import { floorHour } from '#core/market/candle.ts'
import { baseOf } from '#core/market/pair.ts'
import { stepOfBalance, stepOfTrends } from '#core/strategy/next-change.ts'
import { choiceOf, type StrategyKey } from '#core/strategy/strategy-key.ts'
import { allowedDriftBps } from '#core/strategy/strategy.ts'
import { driftPrices } from '#core/trading/drift.ts'
import { closingFee } from '#core/trading/performance-fee.ts'
import { listText } from '#words/list-text.ts'
import { nextMove, trendsAreUp, trendsText } from '#words/next-move.ts'
import { t } from '#words/words.ts'
import type { StoredBot, StoredHolding, StoredPosition } from './store.ts'

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
    doing: doingOf(bot),
    waitingPairs: bot.waitingPairs ?? [],
    takingOutPercent: takingBps === null ? null : takingBps / BPS_PER_PERCENT,
    isChanging: bot.isChanging,
    ...figuresOfBot(bot),
    feeBps,
    plan: showPlan(bot),
    guards: bot.guards && typedOf(bot.guards),
    guardLevels: bot.status === 'active' && bot.guards ? showLevels(bot.guards) : null,
    stop: bot.status === 'stopped' && bot.stop ? showStop(bot.stop, bot.isSelling) : null,
    createdAt: bot.createdAt.toISOString(),
    updatedAt: bot.updatedAt.toISOString(),
  }
}

/**
 * Levels of guards in cents. Stops are rounded down and profits up, so that the worth shown never
 * passes a level before the guard is reached.
 */
function showLevels({
  start,
  best,
  dayStart,
  ...guards
}: NonNullable<StoredBot['guards']>): Bot['guardLevels'] {
  const marks = { start: BigInt(start), best: BigInt(best), dayStart: BigInt(dayStart) }
  const { stopLoss, takeProfit, dailyLoss } = guardLevels(guards, marks)
  const shown = (level: Units | null) => (level === null ? null : unitsToDecimal(level, 2))
  return {
    stopLoss: shown(stopLoss),
    takeProfit: shown(takeProfit && ceilToCents(takeProfit)),
    dailyLoss: shown(dailyLoss),
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

/**
 * The line below a bot's status: why it waits or holds coins, or that it is in cash and the price
 * nearest to its next trade. Null if the status suffices.
 */
function doingOf(bot: StoredBot): string | null {
  if (bot.waitingPairs !== null)
    return t('Waiting to sell {pairs}.', {
      pairs: listText(bot.waitingPairs.map(({ pair }) => pair)),
    })
  if (bot.status !== 'active' || bot.isChanging) return null
  const positions = bot.positions ?? []
  const isInCash = !positions.some(({ holds }) => holds)
  if (isInCash && !positions.every(({ exposureBps }) => exposureBps === 0))
    return t('Waiting to buy at the next price.')
  const steps = positions.flatMap((position) => {
    const next = stepOfPosition(position, bot.strategy)
    return next === null ? [] : [{ ...position, next }]
  })
  const trends = steps.flatMap(({ next }) => next.trends)
  if (!isInCash && trends.length > 0) return trendsAreUp(trends)
  const nearest = steps
    .flatMap((step) => moveOf(step) ?? [])
    .toSorted((a, b) => a.tenths - b.tenths)[0]
  const states = [isInCash ? t('In cash.') : '', trendsText(trends), nearest?.text() ?? '']
  return states.filter(Boolean).join(' ') || null
}

function moveOf({ pair, price, exposureBps, next }: StoredPosition & { next: NextStep }) {
  if (price === null || exposureBps === null) return undefined
  const percent = exposureBps / BPS_PER_PERCENT
  return nextMove({ coin: baseOf(pair), percent, next, price: unitsToDecimal(BigInt(price), 8) })
}

export function stepOfPosition(
  { cash, base, lookedAt, ...position }: StoredPosition,
  strategy: StrategyKey,
): NextStep | null {
  const pool = { cash: BigInt(cash), base: BigInt(base) }
  return nextStep(
    { ...position, pool, lookedAt: lookedAt === null ? null : new Date(lookedAt) },
    strategy,
  )
}

type Looked = Pick<StoredHolding, 'exposureBps' | 'outlook' | 'lookedAt'> & {
  pool: Pick<StoredHolding['pool'], 'cash' | 'base'>
}

/** Null for hold bots, and before the first decision. */
export function nextStep(
  { exposureBps, outlook, lookedAt, pool }: Looked,
  strategy: StrategyKey,
): NextStep | null {
  if (exposureBps === null || lookedAt === null) return null
  const looked = { lookedAt: new Date(floorHour(lookedAt.getTime())).toISOString() }
  if (outlook !== null) return { ...looked, ...stepOfTrends(outlook) }
  const driftBps = allowedDriftBps(strategy)
  if (driftBps === undefined) return null
  const prices = driftPrices(pool, { exposureBps, driftBps })
  return { ...looked, ...stepOfBalance(exposureBps, prices) }
}
