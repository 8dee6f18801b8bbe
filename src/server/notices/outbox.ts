import type { Queries } from '#server/db/statement.ts'
import { countDeliveries } from './delivery-store.ts'

/** How many messages wait, were sent or were given up, by channel. */
export async function countOutbox(sql: Queries) {
  return countDeliveries(sql)
}
