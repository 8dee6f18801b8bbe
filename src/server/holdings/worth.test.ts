import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { worthOfBot } from '#core/bots/bot-worth.ts'
import type { Units } from '#core/money/amount.ts'
import { closingFee, PERFORMANCE_FEE_BPS } from '#core/trading/performance-fee.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/world/database.ts'
import { worthBeforeFee } from './worth.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const digits = (most: number) =>
  fc
    .integer({ min: 1, max: most })
    .chain((count) => fc.bigInt({ min: 0n, max: 10n ** BigInt(count) - 1n }))

/** Includes amounts below a cent, which pools round away. */
const nearCents = fc
  .tuple(digits(9), fc.bigInt({ min: 0n, max: 110n }))
  .map(([cents, lost]) => (cents + 1n) * 1_000_000n - lost)

const CASE = fc.record({
  pending: fc.oneof(digits(14), nearCents),
  invested: digits(15),
  cash: digits(15),
  taken: digits(12),
  base: digits(13),
  part: fc.integer({ min: 0, max: 1_000_000 }),
  all: digits(27).map((units) => units + 1n),
  poolCash: digits(16),
  poolBase: digits(15),
  price: digits(15),
})
type Case = {
  pending: Units
  invested: Units
  cash: Units
  taken: Units
  base: Units
  part: number
  all: bigint
  poolCash: Units
  poolBase: Units
  price: Units
}

function expected({
  pending,
  invested,
  cash,
  taken,
  base,
  part,
  all,
  poolCash,
  poolBase,
  price,
}: Case): { worth: Units; fee: Units } {
  const units = unitsOf({ all, part })
  const pools = new Map([[1, { cash: poolCash, base: poolBase, units: all, appliedBps: 0, price }]])
  const worth = worthOfBot(
    { cash: pending + cash + taken, sleeves: [{ pool: 1, base, units }] },
    pools,
  )
  return { worth, fee: closingFee({ invested, out: worth, feeBps: PERFORMANCE_FEE_BPS }).fee }
}

const unitsOf = ({ all, part }: { all: bigint; part: number }): bigint =>
  (all * BigInt(part)) / 1_000_000n

test('the worth of a bot and its closing fee, computed in the database, match core', async () => {
  const { sql } = database
  const cases = fc.sample(CASE, 2_000)
  const text = (of: (one: Case) => bigint) => cases.map((one) => of(one).toString())
  const rows = await sql<{ worth: string; fee: string }[]>`
    with one as (
      select * from unnest(
        ${text(({ pending }) => pending)}::text[]::bigint[],
        ${text(({ invested }) => invested)}::text[]::bigint[],
        ${text(({ cash }) => cash)}::text[]::bigint[],
        ${text(({ taken }) => taken)}::text[]::bigint[],
        ${text(({ base }) => base)}::text[]::bigint[], ${text(unitsOf)}::text[]::numeric(38, 0)[],
        ${text(({ all }) => all)}::text[]::numeric(38, 0)[],
        ${text(({ poolCash }) => poolCash)}::text[]::bigint[],
        ${text(({ poolBase }) => poolBase)}::text[]::bigint[],
        ${text(({ price }) => price)}::text[]::bigint[]) with ordinality
        as one (pending, invested, cash, taken, base, units, pool_units, pool_cash, pool_base,
           price, place)),
    bot as (
      select b.place, b.invested, ${worthBeforeFee} as worth
        from one b cross join lateral (select b.cash, b.taken, b.base, b.units) s
        cross join lateral (select b.pool_cash as cash, b.pool_base as base, b.pool_units as units)
              p
        cross join lateral (select b.price) t
       group by b.place, b.invested, b.pending)
    select worth::text, div(greatest(worth - invested, 0) * ${PERFORMANCE_FEE_BPS}::integer,
           10000)::text as fee from bot order by place`
  expect(rows.map(({ worth, fee }) => ({ worth: BigInt(worth), fee: BigInt(fee) }))).toEqual(
    cases.map(expected),
  )
})
