import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Units } from '#core/money/amount.ts'
import { shareOwnSale, shareRedemption, shareSubscription } from '#core/pool/lot.ts'
import { claimOf, join, leaveTogether, type Pool } from '#core/pool/pool.ts'
import { atomically } from '#server/db/atomically.ts'
import type { Queries } from '#server/db/statement.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/world/database.ts'
import { randomFrom, SEED, type Random } from '../../../test/world/random.ts'
import {
  endWorthlessStays,
  joinInKind,
  joinLots,
  joinWithCash,
  leaveLots,
  pauseAll,
  sellOwn,
} from './lots.ts'
import { sumLots } from './movers.ts'

const CASES = 120
const MEMBERS = 24
const POOL = 3
const AT = { pool: POOL, number: 7n }
/** 10 million dollars or coins in one sleeve, and 26 digits of units in a pool. */
const MOST = 10n ** 15n
const MOST_UNITS = 10n ** 26n

type Sleeve = {
  botId: string
  status: string
  cash: Units
  base: Units
  units: bigint
  leaving: bigint
  taken: Units
  joined: bigint
  offered: Units
  paid: Units
  paidBase: Units
}
type Stay = {
  botId: string
  joined: bigint
  leftWith: bigint
  units: bigint
  offered: Units
  redeemed: bigint
  paid: Units
  paidBase: Units
  cashOut: Units
  baseOut: Units
}

let database: TestDatabase
let userId: string
let botIds: string[]
beforeAll(async () => {
  database = await createTestDatabase()
  userId = randomUUID()
  botIds = Array.from({ length: MEMBERS }, () => randomUUID()).sort()
  const { sql } = database
  await sql`insert into users (id, username, password, first_name, last_name)
    values (${userId}, 'ada', 'x', 'Ada', 'Lovelace')`
  await sql`
    insert into trading_bots (user_id, id, name, risk_level, strategy, trading_pairs, invested,
           market_start)
    select ${userId}, id, 'bot', 'aggressive', 'trend-aggressive', array['BTC/USDT'], 1, now()
      from unnest(${botIds}::uuid[]) as id`
})
afterAll(() => database.drop())

class Undone extends Error {}

/** Runs `work` on sleeves drawn at random, and rolls it back, because stays are never deleted. */
async function onSleeves(
  sleeves: readonly (Sleeve & { pool?: number })[],
  work: (tx: Queries) => Promise<void>,
): Promise<void> {
  const undone = atomically(database.sql, async (tx) => {
    const rows = sleeves.map((sleeve) => ({
      ...sleeve,
      paid_base: sleeve.paidBase,
      bot_id: sleeve.botId,
    }))
    const values = JSON.stringify(rows, (_name, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    )
    await tx`
      insert into sleeves (user_id, bot_id, pool, status, cash, base, units, leaving, taken, joined,
             offered, paid, paid_base)
      select ${userId}, bot_id, coalesce(pool, ${POOL}), status, cash, base, units, leaving, taken,
             joined, offered, paid, paid_base
        from jsonb_populate_recordset(null::sleeves, ${values}::text::jsonb)`
    await work(tx)
    throw new Undone()
  })
  await expect(undone).rejects.toThrow(Undone)
}

async function sleevesNow(tx: Queries): Promise<Sleeve[]> {
  const rows = await tx<(Omit<Sleeve, 'units' | 'leaving'> & { units: string; leaving: string })[]>`
    select bot_id, status, cash, base, units, leaving, taken, joined, offered, paid, paid_base
      from sleeves where pool = ${POOL} order by bot_id`
  return rows.map((row) => ({ ...row, units: BigInt(row.units), leaving: BigInt(row.leaving) }))
}

async function staysNow(tx: Queries): Promise<Stay[]> {
  const rows = await tx<(Omit<Stay, 'units' | 'redeemed'> & { units: string; redeemed: string })[]>`
    select bot_id, joined, left_with, units, offered, redeemed, paid, paid_base, cash_out, base_out
      from sleeve_stays where pool = ${POOL} order by bot_id, joined`
  return rows.map((row) => ({ ...row, units: BigInt(row.units), redeemed: BigInt(row.redeemed) }))
}

const NEW: Omit<Sleeve, 'botId' | 'status'> = {
  cash: 0n,
  base: 0n,
  units: 0n,
  leaving: 0n,
  taken: 0n,
  joined: 0n,
  offered: 0n,
  paid: 0n,
  paidBase: 0n,
}

/** Sleeves of `status`, half of them with a stay, among others that must not change. */
function draw(
  random: Random,
  make: (stay: Omit<Sleeve, 'botId' | 'status'>) => Partial<Sleeve> & { status: string },
): Sleeve[] {
  return botIds.map((botId) => {
    const stay = random.chance(0.5)
      ? {
          ...NEW,
          units: random.units(MOST_UNITS),
          joined: 3n,
          offered: random.units(MOST),
          paid: random.units(MOST),
        }
      : NEW
    if (random.chance(0.2)) return { ...stay, botId, status: stay.units > 0n ? 'in' : 'paused' }
    return { ...stay, botId, ...make(stay) }
  })
}

const poolOf = (random: Random): Pool => ({
  cash: random.chance(0.1) ? 0n : random.units(MOST),
  base: random.units(MOST),
  units: random.units(MOST_UNITS) + 1n,
  appliedBps: 0,
})

const sum = (parts: readonly bigint[]): bigint => parts.reduce((total, part) => total + part, 0n)

/** The row of a sleeve's stay when it ends. */
const ended = ({ botId, joined, units, offered, paid, paidBase }: Sleeve) => ({
  botId,
  joined,
  leftWith: AT.number,
  units,
  offered,
  paid,
  paidBase,
})

const rest = (left: Units, of: Units): string => (left > of / 1_000n ? 'joining' : 'in')

test(`SQL divides a joining lot as core does (seed ${SEED})`, async () => {
  const random = randomFrom(SEED)
  for (let number = 0; number < CASES; number += 1) {
    const before = draw(random, () => ({ status: 'joining', cash: random.units(MOST) }))
    const members = before.filter(({ status }) => status === 'joining')
    if (members.length === 0) continue
    const offered = sum(members.map(({ cash }) => cash))
    const [units, spent] = [random.units(MOST_UNITS), random.units(offered)]
    const shares = shareSubscription({ units, spent, offered: members.map(({ cash }) => cash) })
    await onSleeves(before, async (tx) => {
      const lots = await joinLots(tx, [{ ...AT, offered, units, spent }])
      expect(lots.get(POOL)).toMatchObject({
        weight: offered,
        units: sum(shares.map((share) => share.units)),
        own: { cash: -sum(shares.map(({ paid }) => paid)), base: 0n },
        members: members.length,
      })
      const expected = before.map((sleeve) => {
        const share = shares[members.indexOf(sleeve)]
        if (!share) return sleeve
        const cash = sleeve.cash - share.paid
        return {
          ...sleeve,
          cash,
          units: sleeve.units + share.units,
          joined: AT.number,
          offered: sleeve.cash,
          paid: share.paid,
          paidBase: 0n,
          status: rest(cash, sleeve.cash),
        }
      })
      expect(await sleevesNow(tx)).toEqual(expected)
      expect(await staysNow(tx)).toEqual(
        members
          .filter((sleeve) => sleeve.units > 0n)
          .map((sleeve) => ({ ...ended(sleeve), redeemed: 0n, cashOut: 0n, baseOut: 0n })),
      )
    })
  }
})

test('lots of several pools move together, each by its own amounts', async () => {
  const [first = '', second = '', third = ''] = botIds
  const joining = { ...NEW, status: 'joining' }
  const lots = [
    { ...AT, offered: 300n, units: 600n, spent: 300n },
    { ...AT, pool: POOL + 1, number: 9n, offered: 50n, units: 5n, spent: 40n },
  ]
  await onSleeves(
    [
      { ...joining, botId: first, cash: 100n },
      { ...joining, botId: second, cash: 200n },
      { ...joining, botId: third, cash: 50n, pool: POOL + 1 },
    ],
    async (tx) => {
      const joined = await joinLots(tx, [
        ...lots,
        { ...AT, pool: POOL + 2, offered: 1n, units: 1n, spent: 1n },
      ])
      expect([...joined.keys()].toSorted()).toEqual([POOL, POOL + 1])
      const [one, other] = [joined.get(POOL), joined.get(POOL + 1)]
      expect(one).toMatchObject({ members: 2, weight: 300n, units: 600n, own: { cash: -300n } })
      expect(other).toMatchObject({ members: 1, weight: 50n, units: 5n, own: { cash: -40n } })
      expect(
        await tx`select pool, bot_id, cash, units::bigint, joined from sleeves
          order by pool, bot_id`,
      ).toEqual([
        { pool: POOL, botId: first, cash: 0n, units: 200n, joined: 7n },
        { pool: POOL, botId: second, cash: 0n, units: 400n, joined: 7n },
        { pool: POOL + 1, botId: third, cash: 10n, units: 5n, joined: 9n },
      ])
    },
  )
})

test('a lot that pays for an order and gets no coins leaves a stay of zero length', async () => {
  const [botId = ''] = botIds
  await onSleeves([{ ...NEW, botId, status: 'joining', cash: 5_000_000n }], async (tx) => {
    expect(
      (await joinLots(tx, [{ ...AT, offered: 5_000_000n, units: 0n, spent: 19_840n }])).get(POOL),
    ).toMatchObject({ units: 0n, own: { cash: -19_840n } })
    expect(await staysNow(tx)).toEqual([])
    await joinLots(tx, [{ ...AT, number: 8n, offered: 4_980_160n, units: 100n, spent: 4_980_160n }])
    const paidForNothing = {
      botId,
      joined: 7n,
      leftWith: 7n,
      units: 0n,
      offered: 5_000_000n,
      redeemed: 0n,
      paid: 19_840n,
      paidBase: 0n,
      cashOut: 0n,
      baseOut: 0n,
    }
    expect(await staysNow(tx)).toEqual([paidForNothing])
    expect(await sleevesNow(tx)).toMatchObject([
      { botId, status: 'in', cash: 0n, units: 100n, joined: 8n, paid: 4_980_160n },
    ])
  })
})

test(`SQL divides a leaving lot, whole or in part, as core does (seed ${SEED})`, async () => {
  const random = randomFrom(SEED + 1)
  for (let number = 0; number < CASES; number += 1) {
    const before = draw(random, (stay) => {
      if (stay.units === 0n) return { status: 'joining', cash: 5n }
      const base = random.chance(0.2) ? random.units(MOST) : 0n
      const leaving = random.chance(0.5) ? stay.units : random.units(stay.units)
      return {
        status: 'leaving',
        leaving,
        base: leaving < stay.units ? 0n : base,
        cash: random.units(MOST),
      }
    })
    const members = before.filter(({ status }) => status === 'leaving')
    if (members.length === 0) continue
    const leaving = sum(members.map((sleeve) => sleeve.leaving))
    const [units, proceeds] = [
      random.chance(0.5) ? leaving : random.units(leaving),
      random.units(MOST),
    ]
    const shares = shareRedemption({
      units,
      proceeds,
      leaving: members.map((sleeve) => sleeve.leaving),
    })
    await onSleeves(before, async (tx) => {
      const lots = await sumLots(tx)
      expect(lots.get(POOL)?.leaving).toEqual({ units: leaving, members: members.length })
      const left = await leaveLots(tx, [{ ...AT, leaving, units, proceeds }])
      expect(left.get(POOL)).toMatchObject({
        weight: leaving,
        units: sum(shares.map((share) => share.units)),
        own: { cash: sum(shares.map((share) => share.proceeds)), base: 0n },
        members: members.length,
      })
      const expected = before.map((sleeve) => {
        const share = shares[members.indexOf(sleeve)]
        if (!share) return sleeve
        const isFullyFilled = sleeve.leaving === sleeve.units
        const moved = {
          ...sleeve,
          units: sleeve.units - share.units,
          leaving: sleeve.leaving - share.units,
          joined: AT.number,
          offered: 0n,
          paid: 0n,
          paidBase: 0n,
        }
        const done = isFullyFilled
          ? sleeve.base > 0n
            ? 'leaving'
            : 'out'
          : rest(sleeve.cash, sleeve.paid)
        const status = moved.leaving > 0n ? 'leaving' : done
        return isFullyFilled
          ? { ...moved, status, cash: sleeve.cash + share.proceeds }
          : { ...moved, status, taken: sleeve.taken + share.proceeds }
      })
      expect(await sleevesNow(tx)).toEqual(expected)
      expect(await staysNow(tx)).toEqual(
        members.map((sleeve, index) => ({
          ...ended(sleeve),
          redeemed: shares[index]?.units,
          cashOut: shares[index]?.proceeds,
          baseOut: 0n,
        })),
      )
    })
  }
})

test(`leaving a pool without coins gives the same in SQL as in core (seed ${SEED})`, async () => {
  const random = randomFrom(SEED + 5)
  for (let number = 0; number < CASES; number += 1) {
    const before = draw(random, (stay) =>
      stay.units > 0n
        ? {
            status: 'leaving',
            leaving: random.chance(0.5) ? stay.units : random.units(stay.units),
            cash: random.units(MOST),
          }
        : { status: 'joining', cash: 1n },
    )
    const members = before.filter(({ leaving }) => leaving > 0n)
    if (members.length === 0) continue
    const units = sum(members.map(({ leaving }) => leaving))
    const pool = { ...poolOf(random), base: 0n, units: sum(before.map((sleeve) => sleeve.units)) }
    const { taken } = leaveTogether(
      pool,
      members.map(({ leaving }) => leaving),
    )
    await onSleeves(before, async (tx) => {
      const paid = sum(taken.map(({ cash }) => cash))
      expect(
        (
          await leaveLots(tx, [
            { ...AT, leaving: units, units, proceeds: claimOf(pool, units).cash, cash: pool },
          ])
        ).get(POOL),
      ).toMatchObject({ units, own: { cash: paid, base: 0n } })
      expect((await staysNow(tx)).map(({ cashOut }) => cashOut)).toEqual(
        taken.map(({ cash }) => cash),
      )
    })
  }
})

test(`own coins are sold in SQL as in core (seed ${SEED})`, async () => {
  const random = randomFrom(SEED + 2)
  for (let number = 0; number < CASES; number += 1) {
    const before = draw(random, (stay) => {
      if (random.chance(0.5))
        return { status: 'resuming', base: random.units(MOST), cash: random.units(MOST) }
      return {
        status: 'leaving',
        base: random.units(MOST),
        leaving: stay.units,
        cash: random.units(MOST),
      }
    })
    const members = before.filter(({ base }) => base > 0n)
    if (members.length === 0) continue
    const held = sum(members.map(({ base }) => base))
    const [quantity, total] = [random.chance(0.5) ? held : random.units(held), random.units(MOST)]
    const shares = shareOwnSale({
      sold: { quantity, total, fee: 0n },
      held: members.map(({ base }) => base),
    })
    await onSleeves(before, async (tx) => {
      expect((await sumLots(tx)).get(POOL)?.own).toEqual({ base: held, members: members.length })
      expect((await sellOwn(tx, [{ ...AT, held, quantity, total }])).get(POOL)).toMatchObject({
        weight: held,
        members: members.length,
        own: {
          cash: sum(shares.map((share) => share.proceeds)),
          base: -sum(shares.map((share) => share.quantity)),
        },
      })
      const expected = before.map((sleeve) => {
        const share = shares[members.indexOf(sleeve)]
        if (!share) return sleeve
        const [base, cash] = [sleeve.base - share.quantity, sleeve.cash + share.proceeds]
        const sold =
          sleeve.status === 'resuming'
            ? rest(cash, sleeve.paid)
            : sleeve.units > 0n
              ? 'leaving'
              : 'out'
        return { ...sleeve, base, cash, status: base > 0n ? sleeve.status : sold }
      })
      expect(await sleevesNow(tx)).toEqual(expected)
      expect(await staysNow(tx)).toEqual(
        members.map((sleeve, index) => ({
          botId: sleeve.botId,
          joined: AT.number,
          leftWith: AT.number,
          units: 0n,
          offered: 0n,
          redeemed: sleeve.base,
          paid: 0n,
          paidBase: 0n,
          cashOut: shares[index]?.proceeds,
          baseOut: -(shares[index]?.quantity ?? 0n),
        })),
      )
    })
  }
})

test(`SQL pauses bots in kind with the same amounts as core (seed ${SEED})`, async () => {
  const random = randomFrom(SEED + 3)
  for (let number = 0; number < CASES; number += 1) {
    const before = draw(random, (stay) =>
      stay.units > 0n
        ? { status: 'pausing', cash: random.units(MOST) }
        : { status: 'joining', cash: 1n },
    )
    const members = before.filter(({ status }) => status === 'pausing')
    if (members.length === 0) continue
    const units = sum(members.map((sleeve) => sleeve.units))
    const drawn = poolOf(random)
    const pool = {
      ...drawn,
      base: random.chance(0.3) ? 0n : drawn.base,
      units: random.chance(0.3) ? units : units + random.units(MOST_UNITS),
    }
    const { taken } = leaveTogether(
      pool,
      members.map((sleeve) => sleeve.units),
    )
    await onSleeves(before, async (tx) => {
      expect((await pauseAll(tx, [{ ...AT, of: pool }])).get(POOL)).toMatchObject({
        units,
        own: {
          cash: sum(taken.map(({ cash }) => cash)),
          base: sum(taken.map(({ base }) => base)),
        },
      })
      const expected = before.map((sleeve) => {
        const mine = taken[members.indexOf(sleeve)]
        return mine
          ? {
              ...NEW,
              botId: sleeve.botId,
              status: 'paused',
              cash: sleeve.cash + mine.cash,
              base: mine.base,
            }
          : sleeve
      })
      expect(await sleevesNow(tx)).toEqual(expected)
      expect(await staysNow(tx)).toEqual(
        members.map((sleeve, index) => ({
          ...ended(sleeve),
          redeemed: sleeve.units,
          cashOut: taken[index]?.cash,
          baseOut: taken[index]?.base,
        })),
      )
    })
  }
})

test(`sleeves joining without an order pay the same in SQL as in core (seed ${SEED})`, async () => {
  const random = randomFrom(SEED + 4)
  for (let number = 0; number < CASES; number += 1) {
    const kind = random.pick(['found', 'cash', 'kind'] as const)
    const drawn = poolOf(random)
    const pool =
      kind === 'kind'
        ? drawn
        : kind === 'cash'
          ? { ...drawn, cash: drawn.cash + 1n, base: 0n }
          : { cash: 0n, base: 0n, units: 0n, appliedBps: 0 }
    const before = draw(random, (stay) =>
      kind === 'kind'
        ? { status: 'resuming', base: random.units(MOST), cash: random.units(MOST) }
        : { ...(kind === 'found' ? NEW : stay), status: 'joining', cash: random.units(MOST) },
    )
    const moves = before.map((sleeve) => {
      if (sleeve.status !== 'joining' && sleeve.status !== 'resuming') return undefined
      const made = join(pool, { cash: sleeve.cash, base: kind === 'kind' ? sleeve.base : MOST })
      return made.units > 0n ? made : undefined
    })
    await onSleeves(before, async (tx) => {
      const lot = (
        await (kind === 'kind' ? joinInKind : joinWithCash)(tx, [{ ...AT, of: pool }])
      ).get(POOL)
      expect(lot?.units ?? 0n).toBe(sum(moves.map((move) => move?.units ?? 0n)))
      expect(lot?.own ?? { cash: 0n, base: 0n }).toEqual({
        cash: -sum(moves.map((move) => move?.paid.cash ?? 0n)),
        base: -sum(moves.map((move) => move?.paid.base ?? 0n)),
      })
      const expected = before.map((sleeve, index) => {
        const move = moves[index]
        if (!move) return sleeve
        const [cash, base] = [sleeve.cash - move.paid.cash, sleeve.base - move.paid.base]
        return {
          ...sleeve,
          cash,
          base,
          units: sleeve.units + move.units,
          joined: AT.number,
          offered: kind === 'kind' ? 0n : sleeve.cash,
          paid: move.paid.cash,
          paidBase: move.paid.base,
          status: base > 0n ? 'resuming' : rest(cash, sleeve.cash),
        }
      })
      expect(await sleevesNow(tx)).toEqual(expected)
      expect((await staysNow(tx)).map(({ botId, units }) => ({ botId, units }))).toEqual(
        before
          .filter((sleeve, index) => moves[index] && sleeve.units > 0n)
          .map(({ botId, units }) => ({ botId, units })),
      )
    })
  }
})

test('stays in a pool that holds nothing end with nothing', async () => {
  const held = { ...NEW, units: 5n, joined: 3n, offered: 9n, paid: 9n }
  const statuses = ['in', 'joining', 'leaving', 'pausing']
  const before = statuses.map((status, index): Sleeve => ({
    ...held,
    botId: botIds[index] ?? '',
    status,
    leaving: status === 'leaving' ? 5n : 0n,
  }))
  await onSleeves(before, async (tx) => {
    expect((await endWorthlessStays(tx, [AT])).get(POOL)).toMatchObject({ members: 4 })
    expect((await sleevesNow(tx)).map(({ status, units }) => [status, units])).toEqual([
      ['in', 0n],
      ['joining', 0n],
      ['out', 0n],
      ['paused', 0n],
    ])
    expect((await staysNow(tx)).map(({ redeemed, cashOut }) => [redeemed, cashOut])).toEqual(
      statuses.map(() => [5n, 0n]),
    )
  })
  expect(claimOf({ cash: 0n, base: 0n, units: 5n, appliedBps: 0 }, 5n)).toEqual({
    cash: 0n,
    base: 0n,
  })
})
