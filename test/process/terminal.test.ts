import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { stripVTControlCharacters } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../world/database.ts'
import { endLaunched, freePort, startServer } from './running-server.ts'

/** `script` runs a program on a pseudo terminal; its arguments differ between Linux and macOS. */
const PROGRAM = [process.execPath, 'src/server/main.ts']
const ON_TERMINAL =
  process.platform === 'darwin'
    ? ['-q', '/dev/null', ...PROGRAM]
    : ['-qec', PROGRAM.join(' '), '/dev/null']

let database: TestDatabase

beforeEach(async () => {
  database = await createTestDatabase()
})

afterEach(async () => {
  await endLaunched()
  await database.drop()
})

test("on a terminal the log is readable: times, durations, the page's address", async () => {
  const env = {
    ...process.env,
    MARKET_FEED: 'simulated',
    LOG_LEVEL: 'info',
    PORT: String(await freePort()),
    DATABASE_URL: database.url,
  }
  const terminal = spawn('script', ON_TERMINAL, { env, stdio: ['pipe', 'pipe', 'inherit'] })
  let output = ''
  terminal.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  await expect.poll(() => output).toContain('Ctrl+C stops the server')
  terminal.stdin.write('\u0003')
  await once(terminal, 'close')
  const lines = stripVTControlCharacters(output).replaceAll('\r', '').split('\n')
  expect(lines.filter((line) => line.includes('{"level"'))).toEqual([])
  expect(lines).toContainEqual(
    expect.stringMatching(/^\d\d:\d\d:\d\d The database is ready after \d+\.\d s$/),
  )
  expect(lines).toContainEqual(
    expect.stringMatching(/^\d\d:\d\d:\d\d The app is ready after \d+\.\d s$/),
  )
  expect(lines).toContain(`Trading Bot is ready: http://127.0.0.1:${env.PORT}`)
})

test('without a terminal each log entry is a line of JSON', async () => {
  const server = await startServer({ env: { LOG_LEVEL: 'info', DATABASE_URL: database.url } })
  await server.stop()
  const lines = server
    .output()
    .trim()
    .split('\n')
    .filter((line) => !line.startsWith('Trading Bot is ready: '))
  const messages = lines.map((line) => (JSON.parse(line) as { msg: string }).msg)
  expect(messages).toContainEqual(expect.stringMatching(/^The database is ready after \d+\.\d s$/))
})
