import { required } from '#core/assert.ts'
import { ONE, unitsOfDollars, type Units } from '#core/money/amount.ts'
import type { Asset } from '#core/money/asset.ts'
import { decimalToUnits, unitsToDecimal } from '#core/money/decimal.ts'
import { writeAudit } from '#server/security/audit.ts'
import type { Context } from '#server/context.ts'
import type { Sql } from '#server/db/open.ts'
import { haltOrders } from './halt.ts'
import { isOrderUnderWay } from './order-journal.ts'

/** Exchanges truncate balances to four decimals of a dollar. */
const PRINTED = 10_000n

export type VenueDifference = { asset: Asset; held: Units; booked: Units; worth: Units }

/**
 * The differences between the exchange's balances and the book, by asset; undefined while an order
 * is under way or if the book changed during the request. Empty for a paper venue.
 */
export async function compareVenue(context: Context): Promise<VenueDifference[] | undefined> {
  return (await readVenue(context)).differences
}

type VenueReading = { faults: readonly string[]; differences: VenueDifference[] | undefined }

async function readVenue({ sql, venue, market }: Context): Promise<VenueReading> {
  if (!venue.account) return { faults: [], differences: [] }
  const before = await readBook(sql)
  const { balances, faults } = await venue.account()
  const after = await readBook(sql)
  if (
    before === undefined ||
    after === undefined ||
    JSON.stringify(before) !== JSON.stringify(after)
  )
    return { faults, differences: undefined }
  const prices = market.prices()
  const differences = after.flatMap(({ asset, amount }) => {
    const [holds, booked] = [balances.get(asset) ?? 0n, BigInt(amount)]
    const price = asset === 'USD' ? ONE : decimalToUnits(prices[`${asset}/USDT`]?.price ?? '0')
    const gap = holds > booked ? holds - booked : booked - holds
    return (gap * price) / ONE < PRINTED
      ? []
      : [{ asset, held: holds, booked, worth: (gap * price) / ONE }]
  })
  return { faults, differences }
}

async function readBook(sql: Sql): Promise<{ asset: Asset; amount: string }[] | undefined> {
  if (await isOrderUnderWay(sql)) return undefined
  return sql<
    { asset: Asset; amount: string }[]
  >`select asset, (-balance)::text as amount from ledger_accounts where code = 'venue'
    order by asset`
}

/** Halts orders while the account's settings or its balances contradict the book. */
export async function checkVenue(context: Context): Promise<void> {
  const { faults, differences = [] } = await readVenue(context)
  const reason = [...faults, ...worstOf(context, differences)].join('; ')
  if (reason === '') return
  await context.atomically(async (tx) => {
    if (!(await haltOrders(tx.sql, reason))) return
    context.log.error({ reason }, 'orders are halted: the exchange and the book differ')
    await writeAudit(tx, {
      id: context.newId(),
      actor: 'system',
      action: 'orders.halt',
      subject: 'engine',
      details: { reason },
    })
  })
}

/** The largest difference, if all together exceed the tolerance. */
function worstOf({ config, venue }: Context, differences: readonly VenueDifference[]): string[] {
  const worth = differences.reduce((sum, difference) => sum + difference.worth, 0n)
  if (worth <= unitsOfDollars(config.VENUE_TOLERANCE)) return []
  const worst = required(
    differences.toSorted((a, b) => (a.worth > b.worth ? -1 : 1))[0],
    'a difference',
  )
  return [
    `${venue.name} holds ${unitsToDecimal(worst.held, 8)} ${worst.asset} and the book ` +
      `says ${unitsToDecimal(worst.booked, 8)}`,
  ]
}
