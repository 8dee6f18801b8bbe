import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { connect } from '@nats-io/transport-node'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { required } from '#core/assert.ts'
import type { Events } from '#server/ports/events.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts'
import { hasNats, lacksNats, startNats, type Nats } from '../../../test/faults/nats.ts'
import { atomically } from '../db/atomically.ts'
import { openDatabase, type Sql } from '../db/open.ts'
import { readNatsAddress } from '../nats-address.ts'
import { listen, publish, type AppEvent } from './bus.ts'
import { natsEvents } from './events-nats.ts'

let nats: Nats
let database: TestDatabase
const opened: { events: Events; sql: Sql }[] = []

beforeAll(async () => {
  if (hasNats()) [nats, database] = await Promise.all([startNats(), createTestDatabase()])
})
afterEach(async () => {
  for (const { events, sql } of opened.splice(0)) {
    await events.stop()
    await sql.end({ timeout: 1 })
  }
})
afterAll(async () => {
  if (!hasNats()) return
  await database.drop()
  await nats.kill()
})

/** A process: its connections, as the app's role, the events that it heard in order, and how often there was a gap. */
async function openProcess(url = nats.url) {
  const sql = await openDatabase(database.appUrl, { poolSize: 3 })
  const said: string[] = []
  const log = { info: () => undefined, warn: (text: string) => void said.push(text) }
  const events = await natsEvents({ address: required(readNatsAddress(url), 'an address'), sql, log })
  sql.announce = events.announce
  opened.push({ events, sql })
  const heard: AppEvent[] = []
  let gaps = 0
  await listen(events, { onEvent: (event) => event.number === undefined || heard.push(event), onListening: () => (gaps += 1) })
  return { sql, events, heard, said, gaps: () => gaps, names: () => heard.map(({ name }) => name) }
}

/** Sends as the other processes of this database do, whatever it wants. */
async function openWire(sql: Sql): Promise<{ send: (...messages: string[]) => void; close: () => Promise<void> }> {
  const { host, password } = new URL(nats.url)
  const wire = await connect({ servers: host, user: 'bots', pass: decodeURIComponent(password) })
  const [row] = await sql<{ subject: string }[]>`
    select 'trading-bot.' || system_identifier || '.' || (select oid from pg_database where datname = current_database()) as subject from pg_control_system()`
  return { send: (...messages) => messages.forEach((message) => wire.publish(row?.subject ?? '', message)), close: () => wire.close() }
}

test('an event is heard by every process once its transaction has committed, under its number, and never if it was rolled back', async ({ task }) => {
  if (lacksNats(task)) return
  const [here, there] = [await openProcess(), await openProcess()]
  let number = 0n
  await atomically(here.sql, async (tx) => {
    await publish(tx, { name: 'bots', userIds: ['ada'] })
    number = (await tx<{ number: bigint }[]>`select pg_current_xact_id()::text::bigint as number`)[0]?.number ?? 0n
    // A transaction that begins later and ends first.
    await publish(there.sql, { name: 'balance' })
    await expect.poll(here.names).toEqual(['balance'])
  })
  await atomically(here.sql, async (tx) => {
    await publish(tx, { name: 'notices' })
    throw new Error('the rule said no')
  }).catch(() => undefined)
  await publish(here.sql, { name: 'withdrawals' })
  for (const process of [here, there]) {
    await expect.poll(process.names).toEqual(['balance', 'bots', 'withdrawals'])
    expect(process.heard[1]).toMatchObject({ userIds: ['ada'], number })
    expect(process.heard[0]?.number, 'a later number was heard first').toBeGreaterThan(number)
    expect(process.heard.map(({ past }) => past), 'messages of others may still be on their way').toEqual([0n, 0n, 0n])
  }
})

/** Waits for a further gap, however many a busy machine adds. */
async function missesAfter(here: { gaps: () => number }, message: string, act: () => unknown): Promise<void> {
  const before = here.gaps()
  await act()
  await expect.poll(here.gaps, { message }).toBeGreaterThan(before)
}

test('a process that dies between its commit and its message is missed, and so is a message that is lost', async ({ task }) => {
  if (lacksNats(task)) return
  const here = await openProcess()
  const wire = await openWire(here.sql)
  await missesAfter(here, 'a beat with a count that was not heard', () => wire.send('lossy 0 beat', 'lossy 1 beat', 'lossy 1 goodbye'))
  await missesAfter(here, 'silence without a goodbye', () => wire.send('died 0 beat'))
  await missesAfter(here, 'another version', () => wire.send('nothing that is known'))
  await missesAfter(here, 'another life of the database', () => wire.send(`other 1 text 7 ${2n ** 40n} ${2n ** 40n} {"name":"balance"}`, 'other 1 goodbye'))
  await publish(here.sql, { name: 'bots' })
  await expect.poll(here.names).toEqual(['bots'])
  await wire.close()
})

test('while the server is down nothing is heard, and when it is back everybody asks again', async ({ task }) => {
  if (lacksNats(task)) return
  const [here, there] = [await openProcess(), await openProcess()]
  await nats.kill()
  await expect.poll(() => [here, there].map(({ events }) => events.isConnected())).toEqual([false, false])
  await publish(here.sql, { name: 'bots' })
  await missesAfter(there, 'the process itself was cut off', nats.start)
  await expect.poll(() => [here, there].map(({ events }) => events.isConnected())).toEqual([true, true])
  await publish(here.sql, { name: 'balance' })
  await expect.poll(there.names).toEqual(['balance'])
  expect(here.said).toEqual(expect.arrayContaining([expect.stringMatching(/ is lost: /), expect.stringMatching(/ is there$/), expect.stringMatching(/ may have been missed: /)]))
  nats.freeze()
  await expect.poll(here.events.isConnected).toBe(false)
  await nats.kill()
  await nats.start()
})

test('a server that cannot be reached is waited for; one that refuses us, or is none, is refused with a sentence', async ({ task }) => {
  if (lacksNats(task)) return
  const { port } = new URL(nats.url)
  await expect(openProcess(`nats://bots:wrong@127.0.0.1:${port}`)).rejects.toThrow(`The NATS server at 127.0.0.1:${port} does not accept the user name and password, or the token, in EVENTS_URL.`)
  await expect(openProcess(nats.url.replace('nats:', 'tls:'))).rejects.toThrow('has no TLS, which EVENTS_URL asks for with tls://.')
  const other = createServer((socket) => socket.end('220 mail.example\r\n')).listen(0, '127.0.0.1')
  await once(other, 'listening')
  await expect(openProcess(`nats://127.0.0.1:${(other.address() as AddressInfo).port}`)).rejects.toThrow('is no NATS server: is EVENTS_URL right?')
  other.close()
  await nats.kill()
  const early = await openProcess()
  expect([early.events.isConnected(), early.said[0]]).toEqual([false, expect.stringMatching(/ refuses the connection: is it running, and is EVENTS_URL right\?/)])
  await nats.start()
  await expect.poll(early.events.isConnected).toBe(true)
  await publish(early.sql, { name: 'bots' })
  await expect.poll(early.names).toEqual(['bots'])
})
