import autocannon from 'autocannon'
import { assert } from '#core/assert.ts'
import { PAIRS } from '#core/market/pair.ts'
import { STRATEGY_KEYS } from '#core/strategy/strategy-key.ts'
import { sealAllAccounts } from '#server/security/account-seal.ts'
import type { OpenBook } from '#server/db/book.ts'
import { part } from '#server/db/statement.ts'
import { sealedTransfers } from '#server/ledger/sealed-rows.ts'
import { contentOfTransfer } from '#server/kernel/seal.ts'
import { freePort, launch, startServer } from '../test/process/running-server.ts'
import { populate, withDatabase } from './database.ts'
import { median, report } from './report.ts'
import { signUp } from './user.ts'

/**
 * The most requested route, GET /api/auth/user with a session: the user, and every balance from the
 * ledger. Compared with a bare Fastify route with one prepared SELECT. Both servers are processes
 * of their own on the same database and are measured alternately.
 */

const ROUNDS = 7
const ROUND_S = 4
const WARM_UP_S = 3
const CONNECTIONS = 32

export async function run(): Promise<void> {
  await withDatabase(async (book, url) => {
    await populate(book.sql, {
      users: 1_000,
      bots: 10_000,
      pairs: PAIRS,
      strategies: STRATEGY_KEYS,
      pairsEach: 1,
    })
    await sealRows(book)
    const env = { DATABASE_URL: url, SESSION_SECRET: 'x'.repeat(32) }
    const product = await startServer({ env: { ...env, ROLES: 'web' } })
    const bare = await startBare(env)
    try {
      const { cookie, id } = await signUp(product.url)
      const routes = {
        product: { url: `${product.url}/api/auth/user`, headers: { cookie } },
        bare: { url: `${bare.url}/users/${id}`, headers: {} },
      }
      for (const route of Object.values(routes)) await requestsPerSecond(route, WARM_UP_S)
      const rounds: { product: number; bare: number }[] = []
      for (let round = 0; round < ROUNDS; round += 1) {
        rounds.push({
          product: await requestsPerSecond(routes.product, ROUND_S),
          bare: await requestsPerSecond(routes.bare, ROUND_S),
        })
      }
      const ratio = median(rounds.map((round) => round.product / round.bare))
      report({
        name: 'api, GET /api/auth/user, signed in',
        measured: `${Math.round(median(rounds.map((round) => round.product)))} requests/s`,
        ratio:
          `${ratio.toFixed(2)} × the ${Math.round(median(rounds.map((round) => round.bare)))} ` +
          'of a bare route',
        target: { text: '≥ 0.6 ×', met: ratio >= 0.6 },
      })
    } finally {
      await Promise.all([product.stop(), bare.stop()])
    }
  })
}

/**
 * Seals the rows, because the server refuses a book with unsealed ones. Triggers are disabled,
 * because they refuse a seal for an existing row.
 */
async function sealRows({ sql, seals }: OpenBook): Promise<void> {
  await sql.begin('', async (tx) => {
    await tx`set local session_replication_role = replica`
    for await (const rows of sealedTransfers(tx, part`t.seal is null`)) {
      const made = rows.map((row) => seals.sealOf('transfer', contentOfTransfer(row)))
      await tx`
        update ledger_transfers t set seal = made.seal
          from unnest(${rows.map(({ userId }) => userId)}::uuid[],
               ${rows.map(({ id }) => id)}::uuid[], ${made}::text[]) as made (user_id, id, seal)
         where t.user_id = made.user_id and t.id = made.id`
    }
    await sealAllAccounts(tx, seals, { except: new Set() })
  })
}

type Asked = { url: string; headers: Record<string, string> }

async function requestsPerSecond(asked: Asked, duration: number): Promise<number> {
  const result = await autocannon({ ...asked, connections: CONNECTIONS, duration })
  assert(
    result['2xx'] > 0 && result.non2xx === 0 && result.errors === 0,
    `${asked.url} answers 200 only: ${JSON.stringify(result)}`,
  )
  return result['2xx'] / result.duration
}

/** Starts the bare server and waits until it responds. */
export async function startBare(
  env: Record<string, string>,
): Promise<{ url: string; stop: () => Promise<unknown> }> {
  const port = await freePort()
  const {
    process: child,
    ended,
    output,
  } = launch({ program: ['bench/bare-server.ts'], env: { ...env, PORT: String(port) } })
  const url = `http://127.0.0.1:${port}`
  while (!(await fetch(url).catch(() => undefined)))
    assert(child.exitCode === null, `the bare server ended: ${output()}`)
  return {
    url,
    stop: () => {
      child.kill('SIGTERM')
      return ended
    },
  }
}
