import { valueCurve, type Flow } from '#core/bots/value-curve.ts'
import { groupBy } from '#core/group-by.ts'
import { DAY_MS } from '#core/market/candle.ts'
import type { Units } from '#core/money/amount.ts'
import { percentLost } from '#core/money/percent.ts'
import type { NoticeDetails } from '#core/notices/notice.ts'
import { utcMinuteText } from '#core/utc-text.ts'
import type { Context } from '#server/context.ts'
import type { Queries } from '#server/db/statement.ts'
import { readLives } from '#server/holdings/derived-trades.ts'
import { expectedFallAt } from '#server/market/next-day.ts'
import { flowsOfBots, movesOf, pastOfPools } from './bot-flows.ts'
import { findBot, findBotMoney, type OfUser } from './store.ts'

/** `worth`: before the closing fee, at the closes of the hour that ended at `at`. */
type Fallen = OfUser & { worth: Units; at: Date }

/**
 * The fall of a bot since the last midnight, and the chance of such a fall in that midnight's
 * forecast for the coins that the bot held then. Undefined if there is no such forecast, or if
 * money was put in or taken out since midnight.
 */
export async function expectedFallOf(
  context: Context,
  tx: Queries,
  { userId, id, worth, at }: Fallen,
): Promise<NoticeDetails | undefined> {
  const sinceMs = Math.floor((at.getTime() - 1) / DAY_MS) * DAY_MS
  const held = await heldAt(context, tx, { userId, id, timeMs: sinceMs })
  if (!held || worth >= held.worth) return undefined
  const fraction = 1 - Number(worth) / Number(held.worth)
  const found = expectedFallAt(context, { ...held, fraction })
  return (
    found && {
      since: utcMinuteText(new Date(sinceMs)),
      fell: percentLost(fraction),
      expectedDays: String(found.days),
      ofDays: String(found.of),
    }
  )
}

async function heldAt(
  { candles }: Context,
  tx: Queries,
  { userId, id, timeMs }: OfUser & { timeMs: number },
) {
  const bot = await findBot(tx, { userId, id })
  const { stays, changes } = await readLives(tx, { userId, botId: id })
  const money = await findBotMoney(tx, { userId, botId: id })
  if (!bot || movesOf(money).some((move) => move.timeMs > timeMs)) return undefined
  const flows = flowsOfBots({ stays, marks: changes, money }).flatMap((owner) => owner.flows)
  const pools = pastOfPools(changes)
  const valueOf = (own: readonly Flow[], inPools: typeof pools) =>
    valueCurve({
      owners: [{ flows: own, feeBps: 0 }],
      pools: inPools,
      seriesOf: (pair) => candles.until(pair, timeMs),
      timesMs: [timeMs],
    })[0]?.equity ?? 0n
  const worth = valueOf(flows, pools)
  const shares = [...groupBy(flows, ({ pool }) => pool)].flatMap(([pool, own]) => {
    const past = pool === undefined ? undefined : pools.get(pool)
    if (pool === undefined || !past) return []
    const marks = past.marks.map((mark) => ({ ...mark, cash: 0n }))
    const value = valueOf(own.map(withoutCash), new Map([[pool, { ...past, marks }]]))
    return [[past.pair, Number(value) / Number(worth)] as const]
  })
  return worth > 0n ? { strategy: bot.strategy, shares, worth, atMs: timeMs } : undefined
}

function withoutCash(flow: Flow): Flow {
  return { ...flow, cash: 0n }
}
