import type { Pair } from '#core/market/pair.ts'
import type { Units } from '#core/money/amount.ts'
import { floorToCents, withoutDust } from '#core/money/cents.ts'
import { worthOf } from '#core/pool/pool.ts'
import { closingFee, PERFORMANCE_FEE_BPS } from '#core/trading/performance-fee.ts'
import { equityOf } from '#core/trading/position.ts'
import type { Sql } from '#server/db/open.ts'

type Row = {
  botId: string
  invested: Units
  pending: Units
  pair: Pair
  own: Units
  ownBase: Units
  units: string
  cash: Units
  base: Units
  all: string
  price: Units
}

/**
 * The return of closing all bots of a user now, each in whole cents, by core's own rules: the
 * reference for the product's SQL.
 */
export async function worthOfBots(sql: Sql, userId: string): Promise<Units> {
  const rows = await sql<Row[]>`
    select b.id as bot_id, b.invested, b.pending, p.pair, s.cash + s.taken as own,
           s.base as own_base, s.units, p.cash, p.base, p.units as all,
           coalesce(t.price, 0) as price
      from trading_bots b join sleeves s on s.user_id = b.user_id and s.bot_id = b.id join pools p
           on p.id = s.pool left join market_tickers t on t.pair = p.pair
     where b.user_id = ${userId} and b.status <> 'closed'`
  const worths = new Map<string, { invested: Units; out: Units }>()
  for (const { botId, invested, pending, own, ownBase, units, cash, base, all, price } of rows) {
    const known = worths.get(botId) ?? { invested, out: pending }
    const inPool = worthOf(
      { cash, base, units: BigInt(all), appliedBps: 0 },
      { units: BigInt(units), price },
    )
    const held = equityOf({
      position: { cash: own, base: ownBase, cost: 0n, appliedBps: 0 },
      price,
    })
    worths.set(botId, { invested, out: known.out + inPool + held })
  }
  return [...worths.values()].reduce(
    (sum, { invested, out }) => sum + closedAt({ invested, out: withoutDust(out) }),
    0n,
  )
}

function closedAt({ invested, out }: { invested: Units; out: Units }): Units {
  return floorToCents(out - closingFee({ invested, out, feeBps: PERFORMANCE_FEE_BPS }).fee)
}
