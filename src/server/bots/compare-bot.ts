import type { Compared } from '#contract/comparison.ts'
import { growthSinceStart } from '#core/bots/compared-growth.ts'
import { growthOf } from '#core/bots/growth.ts'
import { timeGrid, valueCurve } from '#core/bots/value-curve.ts'
import { floorHour, HOUR_MS } from '#core/market/candle.ts'
import { percentOfFraction } from '#core/money/percent.ts'
import { Refusal } from '#core/refusal.ts'
import { maxDrawdown, type EquityPoint } from '#core/strategy/metrics.ts'
import { choiceOf, STRATEGY_KEYS, feeBpsOf, type StrategyKey } from '#core/strategy/strategy-key.ts'
import { say } from '#words/words.ts'
import { strategyTitle } from '#words/strategy-names.ts'
import type { Handler } from '#server/action.ts'
import type { Context } from '#server/context.ts'
import { atOneMoment } from '#server/db/atomically.ts'
import type { Queries } from '#server/db/statement.ts'
import { readLives, type Lives } from '#server/holdings/derived-trades.ts'
import { cashGrowth } from '#server/holdings/yields.ts'
import { throttle } from '#server/security/throttle.ts'
import { aroundMoves, flowsOfBots, movesOf, pastOfPools } from './bot-flows.ts'
import { DISCLAIMER } from './show-backtest.ts'
import { findBotMoney, findBots, findPoolsOf, type BotMoney, type StoredBot } from './store.ts'

const MOST_POINTS = 200

/**
 * The backtest returns several points per point of the compared curve, so that each of those has a
 * value close to its own time.
 */
const BACKTEST_POINTS = 4 * MOST_POINTS

/**
 * Compares a bot's growth with that of another bot, or of another strategy with the same pairs and
 * amount.
 */
export const compareBot: Handler<'compareBot'> = async (
  context,
  { userId, params: { id }, query, gone },
) => {
  await throttle(context.sql, { key: `backtest:${userId}`, limit: 120, windowSeconds: 60 })
  const { bots, pasts } = await atOneMoment(context.sql, async (tx) => {
    const found = await findBots(tx, userId)
    const compared = found.filter((bot) => bot.id === id || bot.id === query.with)
    return { bots: found, pasts: await Promise.all(compared.map((bot) => readPast(tx, bot))) }
  })
  const own = pasts.find(({ bot }) => bot.id === id)
  if (!own) throw new Refusal('not-found')
  const strategies = STRATEGY_KEYS.filter((key) => key !== own.bot.strategy)
  const chosen = query.with ?? nearestOf(strategies, own.bot) ?? ''
  const strategy = strategies.find((key) => key === chosen)
  const otherBot = pasts.find(({ bot }) => bot.id === chosen && bot.id !== id)
  if (!strategy && !otherBot) throw new Refusal('not-found', { field: 'with' })
  const span = spanOf(context, [own, ...(otherBot ? [otherBot] : [])])
  return {
    bot: comparedBot(context, { ...own, ...span }),
    with: chosen,
    other: strategy
      ? await comparedStrategy(context, { bot: own.bot, strategy, gone, ...span })
      : comparedBot(context, { ...(otherBot ?? own), ...span }),
    cash: await cashGrowth(context.sql, gridOf(span)),
    from: new Date(span.fromMs).toISOString(),
    to: new Date(span.toMs).toISOString(),
    strategies,
    bots: bots
      .filter((bot) => bot.id !== id)
      .map(({ id: otherId, name }) => ({ id: otherId, name })),
    disclaimer: strategy ? say(DISCLAIMER) : null,
  }
}

function nearestOf(strategies: readonly StrategyKey[], bot: StoredBot): StrategyKey | undefined {
  const { strategy: kind } = choiceOf(bot.strategy)
  return strategies.find((key) => choiceOf(key).strategy === kind) ?? strategies[0]
}

/** `pools`: those of its present settings. */
type Past = { bot: StoredBot; lives: Lives; money: readonly BotMoney[]; pools: readonly number[] }
type Span = { fromMs: number; toMs: number }

async function readPast(tx: Queries, bot: StoredBot): Promise<Past> {
  const owner = { userId: bot.userId, botId: bot.id }
  const [lives, money, pools] = await Promise.all([
    readLives(tx, owner),
    findBotMoney(tx, owner),
    findPoolsOf(tx, bot),
  ])
  return { bot, lives, money, pools }
}

/**
 * The compared period: from the first full hour in which both had begun to the last closed hour;
 * empty before that.
 */
function spanOf({ market }: Context, pasts: readonly Past[]): Span {
  const toMs = floorHour(market.now().getTime())
  const begunMs = Math.max(...pasts.map(({ bot }) => bot.marketStart.getTime()))
  return { fromMs: Math.min(toMs, Math.ceil(begunMs / HOUR_MS) * HOUR_MS), toMs }
}

function gridOf({ fromMs, toMs }: Span): number[] {
  return timeGrid({ fromMs, toMs, points: MOST_POINTS })
}

/** The bot's trades and money, at the last closes. */
function comparedBot({ candles }: Context, past: Past & Span): Compared {
  const { bot, lives, money, fromMs, toMs } = past
  const moves = movesOf(money)
  const grid = gridOf({ fromMs, toMs })
  const startMs = Math.min(bot.marketStart.getTime(), fromMs)
  const timesMs = [...new Set([startMs, ...aroundMoves(moves), ...grid])]
  const points = valueCurve({
    owners: flowsOfBots({ stays: lives.stays, marks: lives.changes, money }),
    pools: pastOfPools(lives.changes),
    timesMs: timesMs
      .filter((timeMs) => timeMs >= startMs && timeMs <= toMs)
      .toSorted((a, b) => a - b),
    seriesOf: (pair) => candles.until(pair, toMs),
  })
  const shown = new Set(grid)
  const growth = growthOf(points, moves).filter(({ timeMs }) => shown.has(timeMs))
  return {
    name: bot.name,
    hypothetical: false,
    ...choiceOf(bot.strategy),
    tradingPairs: bot.tradingPairs,
    settingsSince: settingsSince(past),
    ...showGrowth(growth),
  }
}

/**
 * Time at which the bot last left a pool of earlier settings; null if that was before the
 * comparison.
 */
function settingsSince({
  lives: { stays, changes },
  pools,
  fromMs,
  toMs,
}: Past & Span): string | null {
  const times = new Map(
    changes.map(({ pool, number, marketTime }) => [`${pool} ${number}`, marketTime.getTime()]),
  )
  const former = stays.filter(({ pool }) => !pools.includes(pool))
  const sinceMs = Math.max(
    ...former.map(({ pool, left }) =>
      left === null ? toMs : (times.get(`${pool} ${left}`) ?? fromMs),
    ),
  )
  return sinceMs > fromMs ? new Date(sinceMs).toISOString() : null
}

type Replayed = { bot: StoredBot; strategy: StrategyKey; gone: AbortSignal | undefined }

async function comparedStrategy(
  { candles, costs, compute, config }: Context,
  { bot, strategy, fromMs, toMs, gone }: Span & Replayed,
): Promise<Compared> {
  const markets = bot.tradingPairs.map((pair) => ({ pair, series: candles.until(pair, toMs) }))
  const feeBps = feeBpsOf(choiceOf(strategy).strategy, { holdFeeBps: config.HOLD_FEE_BPS })
  const input = {
    strategy,
    invested: bot.invested,
    markets,
    fromMs,
    toMs,
    costs,
    feeBps,
    yieldBps: config.CASH_YIELD_BPS,
    curvePoints: BACKTEST_POINTS,
  }
  const curve =
    fromMs < toMs
      ? valuedAt(
          gridOf({ fromMs, toMs }),
          await compute.run('growth', input, { owner: bot.userId, gone }),
        )
      : []
  return {
    name: strategyTitle(choiceOf(strategy)),
    hypothetical: true,
    ...choiceOf(strategy),
    tradingPairs: bot.tradingPairs,
    settingsSince: null,
    ...showGrowth(curve),
  }
}

/** The last point of `curve` at or before each time. */
function valuedAt(timesMs: readonly number[], curve: readonly EquityPoint[]): EquityPoint[] {
  let passed = 0
  return timesMs.map((timeMs) => {
    while ((curve[passed + 1]?.timeMs ?? Number.POSITIVE_INFINITY) <= timeMs) passed += 1
    return { timeMs, equity: curve[passed]?.equity ?? 0n }
  })
}

function showGrowth(
  points: readonly EquityPoint[],
): Pick<Compared, 'curve' | 'change' | 'deepestFall'> {
  const growth = points.length > 1 ? growthSinceStart(points) : []
  return {
    curve: growth.map(({ timeMs, percent }) => ({ at: new Date(timeMs).toISOString(), percent })),
    change: growth.at(-1)?.percent ?? '0.00',
    deepestFall: percentOfFraction(maxDrawdown(points)),
  }
}
