import type { Units } from '#core/money/amount.ts'
import type { Asset } from '#core/money/asset.ts'
import type { Queries } from '#server/db/statement.ts'

/** The order of a block at an exchange. */
export type JournalledOrder = {
  id: string
  quantity: Units
  limitPrice: Units
  state: 'sent' | 'done' | 'dead'
  sentAt: Date
} & BookedFill

/** The part of an execution that pools share, and the fees that the house pays beside it. */
export type BookedFill = {
  executed: Units
  notional: Units
  fee: Units
  /** Fees by asset that the exchange took in assets which this order did not trade. */
  houseFees: Readonly<Partial<Record<Asset, string>>>
  isFull: boolean
}

export async function findOrder(
  sql: Queries,
  blockId: string,
): Promise<JournalledOrder | undefined> {
  const [order] = await sql<JournalledOrder[]>`
    select id, quantity, limit_price, state, sent_at, executed, notional, fee, house_fees, is_full
      from venue_orders
     where block_id = ${blockId}`
  return order
}

type NewOrder = Pick<JournalledOrder, 'id' | 'quantity' | 'limitPrice' | 'sentAt'> & {
  blockId: string
}

/** Written before the order is sent. */
export async function beginOrder(
  tx: Queries,
  { id, blockId, quantity, limitPrice, sentAt }: NewOrder,
): Promise<void> {
  await tx`
    insert into venue_orders (id, block_id, quantity, limit_price, sent_at)
    values (${id}, ${blockId}, ${quantity}, ${limitPrice}, ${sentAt})`
}

export const NOTHING: BookedFill = {
  executed: 0n,
  notional: 0n,
  fee: 0n,
  houseFees: {},
  isFull: false,
}

type Ended = { id: string; state: 'done' | 'dead'; booked?: BookedFill; reason?: string }

export async function endOrder(
  sql: Queries,
  { id, state, booked = NOTHING, reason }: Ended,
): Promise<void> {
  const { executed, notional, fee, houseFees, isFull } = booked
  await sql`
    update venue_orders set state = ${state}, executed = ${executed}, notional = ${notional},
           fee = ${fee}, house_fees = ${JSON.stringify(houseFees)}::text::jsonb,
           is_full = ${isFull}, reason = ${reason ?? null}
     where id = ${id} and state = 'sent'`
}

/**
 * Whether the outcome of an order is unknown. Until it is known, the exchange's balances cannot be
 * compared.
 */
export async function isOrderUnderWay(sql: Queries): Promise<boolean> {
  const [row] = await sql<{ underWay: boolean }[]>`
    select exists (select 1 from venue_orders where state = 'sent')
        or exists (select 1 from engine_blocks where state = 'planned' and filled_by = 'venue')
           as under_way`
  return row?.underWay === true
}
