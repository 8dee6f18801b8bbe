import { afterEach, expect, test } from 'vitest'
import { lengthOf } from '../world/length.ts'
import { SEED } from '../world/random.ts'
import { endLaunched, launch, makeDataDir, startServer } from '../process/running-server.ts'
import { accountFor } from './account-for.ts'
import { signUp } from './client.ts'
import { openEventStream } from './event-stream.ts'
import { startLoad, type Load } from './load.ts'
import { startOwnPostgres, type OwnPostgres } from './own-postgres.ts'
import { hasPgBouncer, startPgBouncer, type PgBouncer } from './pgbouncer.ts'
import { cleanUp, until } from './processes.ts'
import { gapsIn, readSettled, watchSettling } from './settled-hours.ts'

const ANSWERS = lengthOf({ usual: 80, full: 3_000 })
const CONNECTIONS = 6
const PATIENCE_MS = 60_000
const SETTINGS = {
  MARKET_SPEED: '36000',
  INTENTS_PER_HOUR: '1000000',
  PAYOUT_DELAY_MS: '1500',
  WITHDRAWAL_HOLD_HOURS: '0',
  WITHDRAWAL_REVIEW_COUNT: '1000000',
}

let postgres: OwnPostgres | undefined
let pooler: PgBouncer | undefined
let load: Load | undefined
afterEach(async () => {
  load?.abandon()
  await endLaunched()
  await pooler?.stop()
  await postgres?.remove()
  await cleanUp()
})

test('two processes behind PgBouncer lose and double nothing; only one leads', async () => {
  if (!hasPgBouncer())
    return console.info('pgbouncer is not installed: nothing was tried behind it')
  postgres = await startOwnPostgres()
  pooler = await startPgBouncer(postgres.url, { connections: CONNECTIONS })
  const dataDir = await makeDataDir()
  const withoutSessions = launch({
    env: { ...SETTINGS, PORT: '0', DATA_DIR: dataDir, DATABASE_URL: pooler.url },
  })
  expect([await withoutSessions.ended, withoutSessions.errors()]).toEqual([
    1,
    expect.stringContaining(
      'is a pooler that hands connections on with each transaction: name the database behind ' +
        'it in DATABASE_SESSION_URL.',
    ),
  ])

  const env = { ...SETTINGS, DATABASE_URL: pooler.url, DATABASE_SESSION_URL: postgres.url }
  const one = await startServer({ dataDir, env })
  const sql = await postgres.sql()
  await watchSettling(sql)
  const other = await startServer({ dataDir, env })
  const user = await signUp(one.url)
  const stream = await openEventStream(other.url, user.cookie)
  const paymentIntentId = await user.pay('250')
  await user.call('confirmDeposit', { body: { paymentIntentId } })
  await until(() => ['prices', 'balance'].every((name) => stream.heard.includes(name)), {
    timeoutMs: PATIENCE_MS,
    complaint: () => `heard ${stream.heard.join(' ')}`,
  })
  stream.close()

  const running = await startLoad({
    urls: [one.url, other.url],
    seed: SEED,
    users: 3,
    pairs: ['BTC/USDT', 'ETH/USDT'],
  })
  load = running
  running.journal.deposits.set(paymentIntentId, '250')
  running.run()
  await until(() => running.journal.answers >= ANSWERS, {
    timeoutMs: PATIENCE_MS,
    complaint: () => `${running.journal.answers} answers`,
  })
  await running.settle()
  await accountFor(sql, running.journal)
  const hours = await readSettled(sql)
  expect([gapsIn(hours), new Set(hours.map(({ epoch }) => epoch)).size]).toEqual([[], 1])
  await sql.end()
  expect([await other.stop(), await one.stop()]).toEqual([0, 0])
  console.info(
    `${running.journal.answers} answers through ${CONNECTIONS} connections of PgBouncer, ` +
      `${hours.length} hours settled`,
  )
})
