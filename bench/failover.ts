import { setTimeout as delay } from 'node:timers/promises'
import { SEED } from '../test/random.ts'
import { missingProgram, startCluster, type DatabaseCluster, type Machine } from './failover-cluster.ts'
import { startProduct, type Pauses, type Product } from './failover-product.ts'
import { median, report, seconds } from './report.ts'

/**
 * The configuration of docs/high-availability with its machines as addresses of this one: every part is killed, frozen or switched over under
 * load, and afterwards what users were answered is compared with what is booked. `BENCH_DIRECT=yes`: the product names all hosts, without HAProxy.
 * `BENCH_FAULTS=engine`: only the faults whose names contain it.
 */

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5)
const DIRECT = process.env['BENCH_DIRECT'] === 'yes'
const ONLY = process.env['BENCH_FAULTS'] ?? ''
const ENGINE_TARGET_MS = 8_000
const DATABASE_TARGET_MS = 15_000
/** Longer than Patroni's lease. */
const WITHOUT_ETCD_MS = 20_000

type Scene = { cluster: DatabaseCluster; product: Product }
/** A part that fails, and how it returns once the product goes on. */
type Fault = { name: string; rounds: number; targetMs?: number; strike: (scene: Scene, round: number) => Promise<() => Promise<unknown>> }

const nothing = async () => undefined

const FAULTS: readonly Fault[] = [
  {
    name: 'kill -9 of the leading engine',
    rounds: ROUNDS,
    targetMs: ENGINE_TARGET_MS,
    strike: async ({ product: { engines } }, round) => {
      // The one that is started again waits behind the other.
      const engine = engines[round % engines.length] as Product['engines'][number]
      await engine.kill()
      return engine.start
    },
  },
  { name: "kill -9 of all on the synchronous standby's machine", rounds: ROUNDS, targetMs: DATABASE_TARGET_MS, strike: onMachine('standby', (machine) => [machine.kill, machine.start]) },
  { name: "the synchronous standby's machine stops answering, and returns", rounds: ROUNDS, targetMs: DATABASE_TARGET_MS, strike: onMachine('standby', (machine) => [machine.freeze, machine.thaw]) },
  { name: "kill -9 of all on the primary's machine: PostgreSQL, Patroni, etcd", rounds: ROUNDS, targetMs: DATABASE_TARGET_MS, strike: onMachine('primary', (machine) => [machine.kill, machine.start]) },
  { name: "the primary's machine stops answering, and returns", rounds: DIRECT ? 0 : ROUNDS, targetMs: DATABASE_TARGET_MS, strike: onMachine('primary', (machine) => [machine.freeze, machine.thaw]) },
  { name: 'kill -9 of the primary PostgreSQL alone', rounds: ROUNDS, targetMs: DATABASE_TARGET_MS, strike: onMachine('primary', (machine) => [machine.killPostgres, () => undefined]) },
  {
    name: 'switchover',
    rounds: ROUNDS,
    targetMs: DATABASE_TARGET_MS,
    strike: async ({ cluster }) => {
      await cluster.switchOver()
      return nothing
    },
  },
  { name: "kill -9 of the etcd on the primary's machine", rounds: ROUNDS, targetMs: DATABASE_TARGET_MS, strike: onMachine('primary', (machine) => [machine.killEtcd, machine.start]) },
  {
    name: `all etcds killed, ${WITHOUT_ETCD_MS / 1_000} s`,
    rounds: 1,
    targetMs: DATABASE_TARGET_MS,
    strike: async ({ cluster: { machines } }) => {
      for (const { killEtcd } of machines) killEtcd()
      return async () => {
        await delay(WITHOUT_ETCD_MS)
        for (const { start } of machines) start()
      }
    },
  },
  {
    name: 'kill -9 of HAProxy, and its start',
    rounds: DIRECT ? 0 : ROUNDS,
    targetMs: DATABASE_TARGET_MS,
    strike: async ({ product: { proxies } }, round) => {
      proxies[round % proxies.length]?.restart()
      return nothing
    },
  },
]

function onMachine(role: 'primary' | 'standby', acts: (machine: Machine) => [() => void, () => void]): Fault['strike'] {
  return async ({ cluster }) => {
    const machine = await cluster[role]()
    if (machine === undefined) throw new Error(`there is no ${role}`)
    const [strike, undo] = acts(machine)
    strike()
    return async () => undo()
  }
}

export async function run(): Promise<void> {
  const missing = missingProgram()
  if (missing !== undefined) return console.log(`failover: ${missing} is not installed; Debian's packages patroni, etcd-server, haproxy and postgresql-15 are needed (docs/high-availability.md).`)
  const cluster = await startCluster()
  try {
    const product = await startProduct(cluster, { direct: DIRECT, seed: SEED })
    try {
      await suffer({ cluster, product })
    } finally {
      await product.remove()
    }
  } finally {
    await cluster.remove()
  }
}

async function suffer(scene: Scene): Promise<void> {
  const { load, account } = scene.product
  load.run()
  await scene.product.goesOn(Date.now())
  for (const fault of FAULTS.filter(({ name, rounds }) => rounds > 0 && name.includes(ONLY))) tell(fault, await repeat(scene, fault))
  await scene.product.goesOn(Date.now())
  await account()
  const { answers, askedAgain, refusals, complaints } = load.journal
  report({ name: `answers to users, of these refusals; asked again`, measured: `${answers}, ${refusals}; ${askedAgain}` })
  report({ name: 'complaints, answers lost or booked twice, hours settled twice or left out, differences that reconcile finds', measured: String(complaints.length), target: { text: '0', met: complaints.length === 0 } })
}

type Took = Pauses & { wholeMs: number }

async function repeat({ cluster, product }: Scene, { name, rounds, strike }: Fault): Promise<Took[]> {
  const took: Took[] = []
  for (let round = 0; round < rounds; round += 1) {
    const momentMs = Date.now()
    const undo = await strike({ cluster, product }, round)
    await product.goesOn(Date.now())
    await undo()
    const wholeMs = await cluster.untilWhole()
    // Whatever the return of the part has done to users is counted too.
    const { settledMs, servedMs } = await product.goesOn(momentMs)
    took.push({ settledMs, servedMs, wholeMs })
    console.log(`  ${name}: no hour settled for ${seconds(settledMs)}, a web without an answer for ${seconds(servedMs)}, whole again ${seconds(wholeMs)} after its return`)
  }
  return took
}

function tell({ name, targetMs }: Fault, took: readonly Took[]): void {
  const [settled, served, whole] = (['settledMs', 'servedMs', 'wholeMs'] as const).map((key) => took.map((one) => one[key])) as [number[], number[], number[]]
  const spread = (values: readonly number[]) => `${seconds(median(values))}, ${seconds(Math.max(...values))}`
  const slowestMs = Math.max(...settled, ...served)
  const met = targetMs === undefined || slowestMs <= targetMs
  if (!met) process.exitCode = 1
  report({
    name: `${name}, ${took.length} times: no hour settled for; a web without an answer for; from the return of the part until all three databases follow one primary: median, slowest`,
    measured: `${spread(settled)}; ${spread(served)}; ${spread(whole)}`,
    ...(targetMs !== undefined && { target: { text: `at most ${seconds(targetMs)}`, met } }),
  })
}
