import { afterEach, expect, test } from 'vitest'
import { EVENT_NAMES } from '#contract/events.ts'
import { required } from '#core/assert.ts'
import { tryLock } from '#server/db/session.ts'
import { createTestBook, SECRET, type TestDatabase } from '../database.ts'
import { endLaunched, launch, makeDataDir, startServer, type RunningServer } from '../running-server.ts'
import { clientOf, signUp } from './client.ts'
import { openEventStream, type EventStream } from './event-stream.ts'
import { lacksNats, startNats, type Nats } from './nats.ts'
import { cleanUp, until } from './processes.ts'

const PATIENCE_MS = 60_000
const COMMITS = 62n
/** The market stands still, so prices do not change. */
const ALL = EVENT_NAMES.filter((name) => name !== 'prices')

let nats: Nats | undefined
let database: TestDatabase | undefined
afterEach(async () => {
  await endLaunched()
  await nats?.kill()
  await database?.drop()
  await cleanUp()
})

const hears = (stream: EventStream, names: readonly string[]) =>
  until(() => names.every((name) => stream.heard.includes(name)), { timeoutMs: PATIENCE_MS, complaint: () => `heard ${stream.heard.join(' ')}` })

const healthOf = async ({ url }: RunningServer) => (await fetch(`${url}/health`)).json() as Promise<{ database: string; events: string }>
const says = (servers: readonly RunningServer[], events: string) =>
  until(async () => (await Promise.all(servers.map(healthOf))).every((health) => health.events === events), { timeoutMs: PATIENCE_MS, complaint: () => servers.map(({ output }) => output()).join('\n') })

test('no event is missed for good while NATS is killed under two processes, or one of them dies between a commit and its message', async ({ task }) => {
  if (lacksNats(task)) return
  ;[nats, database] = await Promise.all([startNats(), createTestBook()])
  const { sql } = database
  const dataDir = await makeDataDir()
  const env = { DATABASE_URL: database.url, SESSION_SECRET: SECRET, EVENTS_URL: nats.url, MARKET_SPEED: '0' }
  const stranger = launch({ env: { ...env, PORT: '0', DATA_DIR: dataDir, EVENTS_URL: nats.url.replace('bots:', 'bots:hushhush') } })
  expect([await stranger.ended, stranger.errors()]).toEqual([1, expect.stringMatching(/^The NATS server at 127\.0\.0\.1:\d+ does not accept the user name and password, or the token, in EVENTS_URL\.\n$/)])

  const [one, other] = [await startServer({ dataDir, env }), await startServer({ dataDir, env: { ...env, ROLES: 'web' } })]
  const here = await signUp(one.url)
  const there = clientOf(other.url, here.cookie)
  const stream = await openEventStream(other.url, here.cookie)
  await here.deposit('100')
  await hears(stream, ['balance', 'transactions'])
  expect(await sql`select application_name from pg_stat_activity where datname = current_database() and application_name like 'listener%'`).toEqual([])

  await nats.kill()
  await says([one, other], 'down')
  stream.heard.length = 0
  await here.deposit('20')
  expect(await healthOf(other)).toMatchObject({ database: 'ok' })
  expect(await (await fetch(`${other.url}/metrics`)).text()).toMatch(/^events_connected 0$/m)
  expect([one.output(), other.output()]).toEqual([expect.stringContaining('is lost'), expect.stringContaining('is lost')])
  expect(stream.heard).not.toContain('balance')
  const command = launch({ program: ['src/server/ops/main.ts', 'reconcile'], env: { ...env, DATA_DIR: dataDir } })
  expect([await command.ended, command.output()]).toEqual([0, expect.stringContaining('refuses the connection')])
  await nats.start()
  await says([one, other], 'ok')
  await hears(stream, ALL)

  const paymentIntentId = await here.pay('30')
  await sql`create function wait() returns trigger language plpgsql as $$ begin perform pg_advisory_xact_lock_shared(62); return null; end $$`
  await sql`create constraint trigger wait after insert on ledger_transfers deferrable initially deferred for each row execute function wait()`
  const lock = required(await tryLock(sql, COMMITS), 'nobody else has it')
  stream.heard.length = 0
  const asked = here.ask('confirmDeposit', { body: { paymentIntentId } })
  const isCommitting = async () => (await sql`select from pg_stat_activity where datname = current_database() and wait_event = 'advisory' and lower(query) = 'commit'`).length > 0
  await until(isCommitting, { timeoutMs: PATIENCE_MS, complaint: one.output })
  one.process.kill('SIGKILL')
  await one.ended
  await lock.release()
  expect((await asked).kind).toBe('unanswered')
  await hears(stream, ALL)
  expect(await there.call('getUser')).toMatchObject({ availableBalance: '150.00' })
  stream.close()
  expect(await other.stop()).toBe(0)
})
