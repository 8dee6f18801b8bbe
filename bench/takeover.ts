import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { pino } from 'pino'
import { readConfig, type Config } from '#server/settings/config.ts'
import { groupBy } from '#core/group-by.ts'
import { openContext } from '#server/open-context.ts'
import { unitsToDecimal } from '#core/money/decimal.ts'
import { INSIDER_CONFIG, noInsiders, runInsiders } from '../test/takeover/insiders.ts'
import { openPost } from '../test/takeover/post.ts'
import { addressOf } from '../test/takeover/thief.ts'
import { runTakeovers, TAKEOVER_CONFIG } from '../test/takeover/takeovers.ts'
import { sceneIn, type Scene } from '../test/takeover/scene.ts'
import { openWorld } from '../test/world/world.ts'
import { withDatabase } from './database.ts'
import { percentile, report, seconds, type Figure } from './report.ts'
import { serve, type Served } from './takeover-server.ts'

/**
 * Takes over accounts with stolen secrets, by calls in random order, and counts the money that
 * leaves within 24 hours. Repeats it from the machine of an operator, then on a server of its own,
 * where it measures when the owner gets the message.
 */

const TAKEOVERS = Number(process.env['BENCH_TAKEOVERS'] ?? 10_000)
const INSIDERS = Number(process.env['BENCH_INSIDERS'] ?? 2_000)
const LIVES = Number(process.env['BENCH_LIVES'] ?? 10_000)
const TIMED = Number(process.env['BENCH_TIMED'] ?? 300)
const SEED = Number(process.env['BENCH_SEED'] ?? 1)
const NOTICED_WITHIN_MS = 10_000

export async function run(): Promise<void> {
  if (TAKEOVERS > 0) await inWorld(TAKEOVER_CONFIG, takeOver)
  if (LIVES > 0) live()
  if (INSIDERS > 0) await sitAtMachines()
  if (TIMED > 0) await timeMessages()
}

/**
 * Runs the test in which the owner presses 'This was not me'. Prints its figures, and fails if it
 * does.
 */
function live(): void {
  const root = resolve(import.meta.dirname, '..')
  const env = {
    ...process.env,
    TAKEOVER_LIVES: String(LIVES),
    TEST_LENGTH: 'full',
    TEST_SEED: String(SEED),
  }
  const { status } = spawnSync('vitest', ['run', 'test/takeover/owner.test.ts'], {
    cwd: root,
    stdio: 'inherit',
    env,
  })
  if (status !== 0) process.exitCode = 1
}

/** A target that is missed fails the bench. */
function check(figure: Figure & Required<Pick<Figure, 'target'>>): void {
  report(figure)
  if (!figure.target.met) process.exitCode = 1
}

async function inWorld(
  settings: Partial<Config>,
  work: (scene: Scene) => Promise<void>,
): Promise<void> {
  await withDatabase(async (book) => {
    const post = openPost()
    const config = {
      ...readConfig({ SESSION_SECRET: 'x'.repeat(32), MARKET_SEED: '7' }),
      ...settings,
    }
    const world = await openWorld(
      openContext({
        ...book,
        config,
        log: pino({ level: 'fatal' }),
        mail: post.mail,
        push: post.push,
      }),
      async () => undefined,
    )
    await work(sceneIn(world, post))
    await world.close()
  })
}

async function takeOver(scene: Scene): Promise<void> {
  const tally = await runTakeovers(scene, {
    count: TAKEOVERS,
    seed: SEED,
    done: ({ takeovers }) => takeovers % 1_000 === 0 && console.log(`  ${takeovers}`),
  })
  report({
    name: 'takeovers, of accounts with a second factor',
    measured: `${tally.takeovers}, ${tally.withFactor}`,
  })
  for (const [loot, count] of Object.entries(tally.by))
    report({ name: `with a stolen ${loot}`, measured: String(count) })
  report({ name: 'calls tried, succeeded', measured: `${tally.tried}, ${tally.succeeded}` })
  report({ name: 'withdrawals to thieves that waited', measured: String(tally.waiting) })
  report({
    name: "dollars sent to owners' own accounts",
    measured: unitsToDecimal(tally.toOwner, 2),
  })
  check({
    name: 'dollars out within 24 hours',
    measured: unitsToDecimal(tally.stolen, 2),
    target: { text: '0', met: tally.stolen === 0n },
  })
  check({
    name: 'accounts changed, of these without a message',
    measured: `${tally.changed}, ${tally.unnoticed}`,
    target: { text: '0', met: tally.unnoticed === 0 },
  })
}

/**
 * Takeovers per book: a new book is started because each bank batch checks the seals of the whole
 * book.
 */
const INSIDERS_A_BOOK = 100

async function sitAtMachines(): Promise<void> {
  const tally = noInsiders()
  for (let from = 0; from < INSIDERS; from += INSIDERS_A_BOOK) {
    await inWorld(
      INSIDER_CONFIG,
      async (scene) =>
        void (await runInsiders(scene, {
          tally,
          from,
          count: Math.min(INSIDERS_A_BOOK, INSIDERS - from),
          seed: SEED,
        })),
    )
    console.log(`  ${tally.insiders}`)
  }
  for (const [roles, count] of Object.entries(tally.by))
    report({ name: `at the machine of an operator: ${roles}`, measured: String(count) })
  report({
    name: 'dollars of their own that were sent to them',
    measured: unitsToDecimal(tally.sent, 2),
  })
  check({
    name: 'dollars that were not theirs within 24 hours',
    measured: unitsToDecimal(tally.stolen, 2),
    target: { text: '0', met: tally.stolen === 0n },
  })
  check({
    name: "changes of victims' accounts, of these without a message",
    measured: `${tally.changes}, ${tally.unnoticed}`,
    target: { text: '0', met: tally.unnoticed === 0 },
  })
  check({
    name: 'calls as an operator, of these not in the audit trail',
    measured: `${tally.calls}, ${tally.unaudited}`,
    target: { text: '0', met: tally.unaudited === 0 },
  })
  for (const fault of tally.faults) console.log(`  ${fault}`)
}

async function timeMessages(): Promise<void> {
  const served = await serve()
  const tally = await runTakeovers(served.scene, { count: TIMED, seed: SEED })
  const messages = await findMessages(served)
  await served.close()
  report({
    name: 'takeovers on a server of its own, dollars out',
    measured: `${tally.takeovers}, ${unitsToDecimal(tally.stolen, 2)}`,
  })
  for (const [kind, own] of [...groupBy(messages, (message) => message.kind)].toSorted(([a], [b]) =>
    a < b ? -1 : 1,
  ))
    report({ name: `from the call to its message: ${kind}`, measured: timesOf(own) })
  const slowest = Math.max(...messages.map(({ waitMs }) => waitMs))
  const target = {
    text: `each within ${seconds(NOTICED_WITHIN_MS)}`,
    met: messages.length > 0 && slowest <= NOTICED_WITHIN_MS,
  }
  check({
    name: 'accounts changed there, of these without a message',
    measured: `${tally.changed}, ${tally.unnoticed}`,
    target: { text: '0', met: tally.unnoticed === 0 },
  })
  check({ name: 'from the call to its message: all', measured: timesOf(messages), target })
}

function timesOf(messages: readonly Message[]): string {
  const waits = messages.map(({ waitMs }) => waitMs)
  return (
    `${waits.length} messages, p50 ${seconds(percentile(waits, 0.5))}, p95 ` +
    `${seconds(percentile(waits, 0.95))}, the slowest ${seconds(Math.max(...waits))}`
  )
}

type Message = { kind: string; waitMs: number }

/** Kinds of notices that jobs write, possibly during an unrelated call. */
const BY_JOBS = ['withdrawal-approved', 'withdrawal-submitted', 'withdrawal-paid']

/**
 * Messages about changes by thieves, each with the call that wrote its notice. A message that never
 * arrived has an infinite delay.
 */
async function findMessages({ sql, calls, arrivals }: Served): Promise<Message[]> {
  const rows = await sql<{ id: string; username: string; kind: string; createdAt: Date }[]>`
    select d.id, u.username, n.kind, n.created_at
      from deliveries d join notices n on n.user_id = d.user_id and n.id = d.notice_id join users u
           on u.id = d.user_id
     where d.channel = 'mail' and n.kind <> all(${BY_JOBS}) order by n.created_at`
  const byAddress = groupBy(calls, ({ address }) => address)
  return rows.flatMap(({ id, username, kind, createdAt }) => {
    const number = Number(username.slice('victim'.length))
    const at = createdAt.getTime()
    const call = byAddress
      .get(addressOf(number))
      ?.find(({ beganMs, endedMs }) => beganMs <= at && at <= endedMs)
    return call ? [{ kind, waitMs: (arrivals.get(id) ?? Infinity) - call.beganMs }] : []
  })
}
