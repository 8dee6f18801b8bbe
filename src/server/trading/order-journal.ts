import type { Units } from '#core/money/amount.ts'
import type { Queries } from '#server/db/statement.ts'

/** The order of a block at an exchange. */
export type JournalledOrder = {
  id: string
  quantity: Units
  limitPrice: Units
  state: 'sent' | 'done' | 'dead'
  sentAt: Date
  executed: Units
  notional: Units
  fee: Units
}

export async function findOrder(
  sql: Queries,
  blockId: string,
): Promise<JournalledOrder | undefined> {
  const [order] = await sql<JournalledOrder[]>`
    select id, quantity, limit_price, state, sent_at, executed, notional, fee from venue_orders
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

type Ended = {
  id: string
  state: 'done' | 'dead'
  executed?: Units
  notional?: Units
  fee?: Units
  reason?: string
}

export async function endOrder(
  sql: Queries,
  { id, state, executed = 0n, notional = 0n, fee = 0n, reason }: Ended,
): Promise<void> {
  await sql`
    update venue_orders set state = ${state}, executed = ${executed}, notional = ${notional},
           fee = ${fee}, reason = ${reason ?? null}
     where id = ${id} and state = 'sent'`
}

/** Until the outcomes are known, the exchange's balances cannot be compared. */
export async function isOrderUnderWay(sql: Queries): Promise<boolean> {
  const [row] = await sql<{ underWay: boolean }[]>`
    select exists (select 1 from venue_orders where state = 'sent')
        or exists (select 1 from engine_blocks where state = 'planned' and filled_by = 'venue')
           as under_way`
  return row?.underWay === true
}
