import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { checkAttacks } from '../pool/attacks.ts'
import { checkLives } from '../pool/lives.ts'
import type { TestProject } from 'vitest/node'
import { setup } from '../process/postgres.ts'
import { reportOf } from './report.ts'
import { soak } from './soak.ts'

/**
 * `npm run soak`: a year from one seed, or from several; with `--lives`, the long versions of the
 * property tests of pools.
 */

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    seeds: { type: 'string', default: '1' },
    days: { type: 'string', default: '365' },
    users: { type: 'string', default: '1000' },
    bots: { type: 'string', default: '5000' },
    until: { type: 'string' },
    lives: { type: 'boolean', default: false },
    count: { type: 'string', default: '100000' },
  },
})

const tell = (line: string): void => console.info(line)
const firstSeed = values.seed === undefined ? randomInt(1, 1_000_000) : Number(values.seed)

if (values.lives) live()
else process.exitCode = await soakAll()

function live(): void {
  const count = Number(values.count)
  const from = values.seed === undefined ? 1 : firstSeed
  tell(`${count} lives of a pool from seed ${from}: ${JSON.stringify(checkLives({ from, count }))}`)
  const loot = JSON.stringify(checkAttacks({ from, count }), (_key, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  )
  tell(`${count} attacks on a pool from seed ${from}: ${loot}`)
}

async function soakAll(): Promise<number> {
  const provided = new Map<string, unknown>()
  const project: Pick<TestProject, 'provide'> = {
    provide: (name, value) => void provided.set(name, value),
  }
  const stop = await setup(project as TestProject)
  const postgresUrl = String(provided.get('postgresUrl'))
  const [days, users, bots] = [Number(values.days), Number(values.users), Number(values.bots)]
  try {
    for (let seed = firstSeed; seed < firstSeed + Number(values.seeds); seed += 1) {
      tell(`seed ${seed}: ${users} users, ${bots} bots, ${days} days`)
      const report = await soak({
        seed,
        days,
        users,
        bots,
        until: Number(values.until ?? days),
        postgresUrl,
        tell,
      })
      for (const line of reportOf(report)) tell(line)
    }
    return 0
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const day = /day (\d+)/.exec(message)?.[1] ?? days
    const seed = /seed (\d+)/.exec(message)?.[1] ?? firstSeed
    tell(
      error instanceof Error && error.cause instanceof Error
        ? `${error.message}\n${error.cause.stack}`
        : message,
    )
    tell(
      `replay: npm run soak -- --seed ${seed} --days ${days} --users ${users} --bots ${bots} ` +
        `--until ${day}`,
    )
    return 1
  } finally {
    await stop()
  }
}
