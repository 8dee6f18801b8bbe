import type { Browser } from 'playwright-core'
import { afterEach, expect, test } from 'vitest'
import { createTestBook, SECRET, type TestDatabase } from '../world/database.ts'
import { hasPgBouncer, startPgBouncer, type PgBouncer } from '../faults/pgbouncer.ts'
import { cleanUp } from '../faults/processes.ts'
import { makeDataDir, startServer } from '../process/running-server.ts'
import { newReadyPage } from '../spec/product.ts'
import { launchBrowser, PHONE } from './chromium.ts'
import { doMainJob, MAIN_JOB_SETTINGS } from './main-job.ts'

const CONNECTIONS = 6

let database: TestDatabase | undefined
let pooler: PgBouncer | undefined
let browser: Browser | undefined
afterEach(async () => {
  await browser?.close()
  await cleanUp()
  await pooler?.stop()
  await database?.drop()
})

test('users can do the main job at a web process behind PgBouncer', async ({ task }) => {
  if (!hasPgBouncer())
    return console.info(`pgbouncer is not installed, so this was not tried: ${task.name}`)
  database = await createTestBook()
  pooler = await startPgBouncer(database.url, { connections: CONNECTIONS })
  const env = {
    ...MAIN_JOB_SETTINGS,
    DATABASE_URL: pooler.url,
    DATABASE_SESSION_URL: database.url,
    SESSION_SECRET: SECRET,
  }
  const dataDir = await makeDataDir()
  const engine = await startServer({ dataDir, env: { ...env, ROLES: 'engine,jobs' } })
  const [web, opened] = await Promise.all([
    startServer({ dataDir, env: { ...env, ROLES: 'web' } }),
    launchBrowser(),
  ])
  browser = opened
  const context = await browser.newContext({ ...PHONE, baseURL: web.url, reducedMotion: 'reduce' })
  const page = await newReadyPage(context, { isSignedIn: false })
  await doMainJob({ page, inspect: async () => undefined }, database.sql)
  await context.close()
  expect([await web.stop(), await engine.stop()]).toEqual([0, 0])
})
