import type { MoneyMove } from '#core/bots/growth.ts'
import type { Flow, FlowsOfOwner, PoolPast } from '#core/bots/value-curve.ts'
import { groupBy } from '#core/group-by.ts'
import type { SleeveStay, StoredMark } from '#server/holdings/stays.ts'
import type { BotMoney, CashFlow } from './store.ts'

export function pastOfPools(marks: readonly StoredMark[]): Map<number, PoolPast> {
  const pools = new Map<number, { pair: PoolPast['pair']; marks: PoolPast['marks'][number][] }>()
  for (const { pool, pair, marketTime, cashAfter, baseAfter, unitsAfter } of marks) {
    const past = pools.get(pool) ?? { pair, marks: [] }
    past.marks.push({
      timeMs: marketTime.getTime(),
      cash: cashAfter,
      base: baseAfter,
      units: unitsAfter,
    })
    pools.set(pool, past)
  }
  return pools
}

/** A bot's money in and out, and its stays with the marks at their ends. */
type Holders = {
  stays: readonly SleeveStay[]
  marks: readonly StoredMark[]
  money: readonly BotMoney[]
}

/** The flows that changed each bot's holdings, in chronological order. */
export function flowsOfBots({
  stays,
  marks,
  money,
}: Holders): (FlowsOfOwner & { botId: string })[] {
  const times = new Map(
    marks.map(({ pool, number, marketTime }) => [`${pool} ${number}`, marketTime.getTime()]),
  )
  const staysOf = groupBy(stays, ({ botId }) => botId)
  const bots = groupBy(money, ({ botId }) => botId)
  return [...bots].map(([botId, own]) => {
    const inPools = (staysOf.get(botId) ?? []).flatMap((stay) => stayFlows(stay, times))
    return {
      botId,
      flows: [...own.map(moneyFlow), ...inPools].toSorted((a, b) => a.timeMs - b.timeMs),
      feeBps: own[0]?.feeBps ?? 0,
    }
  })
}

/** The user's cash: all of it counts as invested, because cash is never profit. */
export const ownerOfCash = (cash: readonly CashFlow[]): FlowsOfOwner => ({
  flows: cash.map(({ eventTime, amount }) => ({
    timeMs: eventTime.getTime(),
    cash: amount,
    invested: amount,
  })),
  feeBps: 0,
})

/** Money in and out, which growth excludes. */
export function movesOf(money: readonly BotMoney[]): MoneyMove[] {
  return money.map(({ eventTime, received }) => ({
    timeMs: eventTime.getTime(),
    amount: -received,
  }))
}

/** For each move, the times right before and at it. */
export function aroundMoves(moves: readonly MoneyMove[]): number[] {
  return moves.flatMap(({ timeMs }) => [timeMs - 1, timeMs])
}

function moneyFlow({ eventTime, amount, invested }: BotMoney): Flow {
  return { timeMs: eventTime.getTime(), cash: amount, invested }
}

function stayFlows(
  { pool, joined, left, units, paid, paidBase, cashOut, baseOut }: SleeveStay,
  times: ReadonlyMap<string, number>,
): Flow[] {
  const began = times.get(`${pool} ${joined}`)
  const ended = times.get(`${pool} ${left}`)
  if (began === undefined) return []
  const coming: Flow = { timeMs: began, pool, cash: -paid, base: -paidBase, units }
  return ended === undefined
    ? [coming]
    : [coming, { timeMs: ended, pool, cash: cashOut, base: baseOut, units: -units }]
}
