import type { Browser } from 'playwright-core'
import { afterEach, expect, test } from 'vitest'
import { createTestBook, SECRET, type TestDatabase } from '../database.ts'
import { hasNats, startNats, type Nats } from '../faults/nats.ts'
import { hasPgBouncer, startPgBouncer, type PgBouncer } from '../faults/pgbouncer.ts'
import { cleanUp } from '../faults/processes.ts'
import { makeDataDir, startServer } from '../running-server.ts'
import { newReadyPage } from '../spec/product.ts'
import { launchBrowser, PHONE } from './chromium.ts'
import { doMainJob, MAIN_JOB_SETTINGS } from './main-job.ts'

const CONNECTIONS = 6

let database: TestDatabase | undefined
let pooler: PgBouncer | undefined
let nats: Nats | undefined
let browser: Browser | undefined
afterEach(async () => {
  await browser?.close()
  await cleanUp()
  await pooler?.stop()
  await nats?.kill()
  await database?.drop()
})

test('users can do the main job at a web process behind PgBouncer, which hears of the engine through NATS', async ({ task }) => {
  if (!hasPgBouncer()) console.info(`pgbouncer is not installed, so this was tried without it: ${task.name}`)
  if (!hasNats()) console.info(`nats-server is not installed, so this was tried without it: ${task.name}`)
  if (!hasPgBouncer() && !hasNats()) return
  database = await createTestBook()
  if (hasPgBouncer()) pooler = await startPgBouncer(database.url, { connections: CONNECTIONS })
  if (hasNats()) nats = await startNats()
  const address = pooler === undefined ? { DATABASE_URL: database.url } : { DATABASE_URL: pooler.url, DATABASE_SESSION_URL: database.url }
  const env = { ...MAIN_JOB_SETTINGS, ...address, ...(nats && { EVENTS_URL: nats.url }), SESSION_SECRET: SECRET }
  const dataDir = await makeDataDir()
  const engine = await startServer({ dataDir, env: { ...env, ROLES: 'engine,jobs' } })
  const [web, opened] = await Promise.all([startServer({ dataDir, env: { ...env, ROLES: 'web' } }), launchBrowser()])
  browser = opened
  const context = await browser.newContext({ ...PHONE, baseURL: web.url, reducedMotion: 'reduce' })
  const page = await newReadyPage(context, { isSignedIn: false })
  await doMainJob({ page, inspect: async () => undefined }, database.sql)
  const listening = await database.sql`select from pg_stat_activity where datname = current_database() and application_name like 'listener%'`
  expect(listening.length > 0, 'sessions that listen to NOTIFY').toBe(nats === undefined)
  await context.close()
  expect([await web.stop(), await engine.stop()]).toEqual([0, 0])
})
