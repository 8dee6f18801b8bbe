import { botFunded, depositCredited } from '#core/ledger/movements.ts'
import { ONE } from '#core/money/amount.ts'
import { bookOn, type OpenBook } from '#server/db/book.ts'
import { openDatabase, type Sql } from '#server/db/open.ts'
import { newId } from '#server/kernel/ids.ts'
import { post } from '#server/ledger/post.ts'
import { withDatabase } from './database.ts'
import { median, report } from './report.ts'

/**
 * Customers' transfers per second, posted as in the product: each of another user and in a database
 * transaction of its own, a deposit, then the funding of a bot. If users share a row and wait for
 * each other, more connections lower the rate.
 */

const USERS = 4_000
const CONNECTIONS = [1, 4, 16] as const
const ROUNDS = 5
const ROUND_MS = 2_000
/**
 * When all users shared rows of the house, sixteen connections reached 0.56 times the rate of one.
 */
const TARGET_RATIO = 1.4

export async function run(): Promise<void> {
  await withDatabase(async ({ sql, seals }, url) => {
    const users = await addUsers(sql)
    const pools = await Promise.all(CONNECTIONS.map((poolSize) => openDatabase(url, { poolSize })))
    const books = pools.map((pool) => bookOn(pool, seals))
    const next = turns(users)
    for (const [index, book] of books.entries())
      await transfersIn(book, { connections: CONNECTIONS[index] ?? 1, forMs: ROUND_MS / 4, next })
    const rates = CONNECTIONS.map((): number[] => [])
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [index, book] of books.entries()) {
        const count = await transfersIn(book, {
          connections: CONNECTIONS[index] ?? 1,
          forMs: ROUND_MS,
          next,
        })
        rates[index]?.push((count * 1_000) / ROUND_MS)
      }
    }
    for (const pool of pools) await pool.end({ timeout: 5 })
    const [alone = Number.NaN, few = Number.NaN, many = Number.NaN] = rates.map(median)
    const perSecond = (rate: number) => `${Math.round(rate).toLocaleString('en')}/s`
    report({ name: 'customers’ transfers, 1 connection', measured: perSecond(alone) })
    report({
      name: 'customers’ transfers, 4 connections',
      measured: perSecond(few),
      ratio: `${(few / alone).toFixed(2)} × one`,
    })
    const ratio = many / alone
    report({
      name: 'customers’ transfers, 16 connections',
      measured: perSecond(many),
      ratio: `${ratio.toFixed(2)} × one`,
      target: { text: `≥ ${TARGET_RATIO} × one`, met: ratio >= TARGET_RATIO },
    })
  })
}

/** Users with accounts at zero, as after sign-up. */
async function addUsers(sql: Sql): Promise<string[]> {
  const ids = Array.from({ length: USERS }, newId)
  await sql`insert into users (id, username, password, first_name, last_name) select id, id::text,
    '', 'Ada', 'Byron' from unnest(${ids}::uuid[]) as id`
  await sql`
    insert into ledger_accounts (user_id, code, asset, may_be_negative)
    select id, code, 'USD', code = 'customer:receivable' from unnest(${ids}::uuid[]) as id,
           unnest(array['customer:cash', 'customer:hold', 'customer:receivable']) as code`
  await sql`vacuum analyze`
  return ids
}

/** Returns the users in turn, so that no two concurrent transfers are of the same user. */
function turns(users: readonly string[]): () => string {
  let turn = 0
  return () => users[(turn += 1) % users.length] ?? ''
}

type Load = { connections: number; forMs: number; next: () => string }

async function transfersIn(book: OpenBook, { connections, forMs, next }: Load): Promise<number> {
  const endMs = performance.now() + forMs
  let count = 0
  const worker = async (): Promise<void> => {
    while (performance.now() < endMs) {
      const userId = next()
      await postOne(book, depositCredited({ userId, amount: 100n * ONE }), userId)
      await postOne(book, botFunded({ userId, amount: 100n * ONE }), userId)
      count += 2
    }
  }
  await Promise.all(Array.from({ length: connections }, worker))
  return count
}

async function postOne(
  { atomically }: OpenBook,
  movement: ReturnType<typeof depositCredited>,
  userId: string,
): Promise<void> {
  const id = newId()
  await atomically((tx) => post(tx, { id, dedupKey: id, movement, userId, eventTime: new Date(0) }))
}
