import { afterEach, expect, test } from 'vitest'
import type { Pair } from '#core/market/pair.ts'
import type { Sql } from '#server/db/open.ts'
import { lengthOf } from '../world/length.ts'
import { SEED } from '../world/random.ts'
import {
  freePort,
  makeDataDir,
  startServer,
  type RunningServer,
} from '../process/running-server.ts'
import { accountFor } from './account-for.ts'
import { startLoad, type Load } from './load.ts'
import { startPrimaryAndStandby, type PrimaryAndStandby } from './primary-and-standby.ts'
import { cleanUp, until } from './processes.ts'
import { countSettled, gapsIn, readSettled, watchSettling } from './settled-hours.ts'

const ROUNDS = lengthOf({ usual: 1, full: 6 })
const USERS = 3
const ANSWERS_BETWEEN = 30
const PAIRS: readonly Pair[] = ['BTC/USDT', 'ETH/USDT']
const PATIENCE_MS = 60_000

const SETTINGS = {
  MARKET_SPEED: '36000',
  INTENTS_PER_HOUR: '1000000',
  SIGNUPS_PER_HOUR: '1000000',
  PAYOUT_DELAY_MS: '1500',
  WITHDRAWAL_HOLD_HOURS: '0',
  WITHDRAWAL_REVIEW_COUNT: '1000000',
}

let load: Load | undefined
let databases: PrimaryAndStandby | undefined
afterEach(async () => {
  load?.abandon()
  await cleanUp()
  await databases?.remove()
})

/** A process that is killed and started again on its port. */
type Member = { server: RunningServer; start: () => Promise<RunningServer> }

test(`many processes, killed and failed over, lose and double nothing (seed ${SEED})`, async () => {
  const pair = await startPrimaryAndStandby()
  databases = pair
  const dataDir = await makeDataDir()
  const member = async (ROLES: string): Promise<Member> => {
    const port = await freePort()
    const start = () =>
      startServer({
        dataDir,
        port,
        env: { ...SETTINGS, ROLES, DATABASE_URL: `${pair.url}?target_session_attrs=read-write` },
      })
    return { server: await start(), start }
  }
  const first = await member('engine')
  const sql = await pair.sql()
  await watchSettling(sql)
  const [second, jobs, ...webs] = (await Promise.all(
    ['engine', 'jobs', 'web', 'web', 'web'].map(member),
  )) as [Member, Member, ...Member[]]
  const all = [first, second, jobs, ...webs]
  const running = await startLoad({
    urls: webs.map(({ server }) => server.url),
    seed: SEED,
    users: USERS,
    pairs: PAIRS,
  })
  load = running
  running.run()
  await goesOn(sql, running)
  const tookMs: number[] = []
  const suffer = async (fault: () => Promise<unknown>) => {
    const beganMs = performance.now()
    await fault()
    await goesOn(sql, running)
    tookMs.push(Math.round(performance.now() - beganMs))
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    // The first process leads, then the second, which was waiting.
    for (const victim of [first, webs[round % webs.length] as Member, jobs, second])
      await suffer(() => killAndStart(victim))
    await suffer(pair.restart)
  }
  await suffer(pair.promote)
  await running.settle()
  for (const { server } of all)
    expect(server.process.exitCode, `a process ended: ${server.output()}`).toBeNull()
  for (const { server } of all)
    expect([
      (await fetch(`${server.url}/health`)).status,
      (await fetch(`${server.url}/metrics`)).status,
    ]).toEqual([200, 200])
  await accountFor(sql, running.journal)
  expect(gapsIn(await readSettled(sql))).toEqual([])
  await sql.end()
  for (const { server } of all) expect(await server.stop()).toBe(0)
  const { answers, askedAgain } = running.journal
  console.info(
    `seed ${SEED}: ${answers} answers, ${askedAgain} asked again; went on after ` +
      `${tookMs.join(', ')} ms: the leading engine, a web, the jobs, the other engine, a ` +
      'restart, a promotion',
  )
})

async function killAndStart(member: Member): Promise<void> {
  member.server.process.kill('SIGKILL')
  await member.server.ended
  member.server = await member.start()
}

/** Waits until an engine has settled a further hour and users have had further answers. */
async function goesOn(sql: Sql, { journal }: Load): Promise<void> {
  const settled = async () => countSettled(sql).catch(() => 0)
  const [hours, answers] = [await settled(), journal.answers + ANSWERS_BETWEEN]
  const isOn = async () => journal.answers >= answers && (await settled()) > hours
  await until(isOn, {
    timeoutMs: PATIENCE_MS,
    complaint: () => `${journal.answers} of ${answers} answers, hour ${hours}`,
  })
}
