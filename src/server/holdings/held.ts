import type { BotHoldings, HeldPools } from '#contract/holdings.ts'
import type { SleeveHoldings } from '#core/bots/bot-worth.ts'
import { groupBy } from '#core/group-by.ts'
import type { Pair } from '#core/market/pair.ts'
import type { Units } from '#core/money/amount.ts'
import { unitsToDecimal } from '#core/money/decimal.ts'
import { part, type Queries } from '#server/db/statement.ts'
import type { BotsOfUser } from './stays.ts'

/**
 * `cash`: the sleeve's own, including money taken out but not paid yet. `number`: of the pool's
 * last change.
 */
export type HeldSleeve = SleeveHoldings & {
  botId: string
  pair: Pair
  cash: Units
  poolNumber: bigint
  poolCash: Units
  poolBase: Units
  poolUnits: bigint
}

type HeldRow = Omit<HeldSleeve, 'units' | 'poolUnits'> & { units: string; poolUnits: string }

export async function findHeldSleeves(
  sql: Queries,
  { userId, botId }: BotsOfUser,
): Promise<HeldSleeve[]> {
  const rows = await sql<HeldRow[]>`
    select s.bot_id, s.pool, p.pair, s.cash + s.taken as cash, s.base, s.units,
           p.changes as pool_number, p.cash as pool_cash, p.base as pool_base, p.units as pool_units
      from sleeves s
      join pools p on p.id = s.pool
      join trading_bots b on b.user_id = s.user_id and b.id = s.bot_id and b.status <> 'closed'
     where s.user_id = ${userId} ${botId === undefined ? part`` : part`and s.bot_id = ${botId}`}
     order by s.bot_id, s.pool`
  return rows.map((row) => ({ ...row, units: BigInt(row.units), poolUnits: BigInt(row.poolUnits) }))
}

/** `invested` and `pending`: of the sleeves' bots. */
type Bots = readonly { id: string; invested: Units; pending: Units }[]

const isHolding = ({ base, units }: SleeveHoldings): boolean => base > 0n || units > 0n

/** Holdings as the browser needs them to value a bot at later prices. */
export function showHoldings(
  bots: Bots,
  sleeves: readonly HeldSleeve[],
): { botHoldings: Record<string, BotHoldings>; pools: HeldPools } {
  const ofBot = groupBy(sleeves, ({ botId }) => botId)
  const botHoldings = bots.map(({ id, invested, pending }) => {
    const own = ofBot.get(id) ?? []
    const cash = own.reduce((sum, sleeve) => sum + sleeve.cash, pending)
    return [
      id,
      {
        invested: unitsToDecimal(invested, 8),
        cash: unitsToDecimal(cash, 8),
        sleeves: Object.fromEntries(own.filter(isHolding).map(showSleeve)),
      },
    ] as const
  })
  return {
    botHoldings: Object.fromEntries(botHoldings),
    pools: Object.fromEntries(sleeves.filter(isHolding).map(showPool)),
  }
}

function showSleeve({ pool, units, base }: HeldSleeve): [string, BotHoldings['sleeves'][string]] {
  return [
    String(pool),
    { units: String(units), ...(base > 0n && { base: unitsToDecimal(base, 8) }) },
  ]
}

function showPool({
  pool,
  pair,
  poolNumber,
  poolCash,
  poolBase,
  poolUnits,
}: HeldSleeve): [string, HeldPools[string]] {
  return [
    String(pool),
    {
      pair,
      number: Number(poolNumber),
      cash: unitsToDecimal(poolCash, 8),
      base: unitsToDecimal(poolBase, 8),
      units: String(poolUnits),
    },
  ]
}
