import { pino } from 'pino'
import { readConfig } from '#server/config.ts'
import { openContext } from '#server/open-context.ts'
import { unitsToDecimal } from '#core/money/decimal.ts'
import { openPost } from '../test/takeover/post.ts'
import { runTakeovers, TAKEOVER_CONFIG } from '../test/takeover/takeovers.ts'
import { openWorld } from '../test/world.ts'
import { withDatabase } from './database.ts'
import { report } from './report.ts'

/** Takes over accounts with what can be stolen, in random orders of calls, and counts what left within 24 hours. */

const TAKEOVERS = Number(process.env['BENCH_TAKEOVERS'] ?? 10_000)
const SEED = Number(process.env['BENCH_SEED'] ?? 1)

export async function run(): Promise<void> {
  await withDatabase(async (sql) => {
    const post = openPost()
    const config = { ...readConfig({ SESSION_SECRET: 'x'.repeat(32), MARKET_SEED: '7' }), ...TAKEOVER_CONFIG }
    const world = await openWorld(openContext({ config, sql, log: pino({ level: 'fatal' }), mail: post.mail, push: post.push }), async () => undefined)
    const tally = await runTakeovers({ world, post }, { count: TAKEOVERS, seed: SEED, done: ({ takeovers }) => takeovers % 1_000 === 0 && console.log(`  ${takeovers}`) })
    await world.close()
    report({ name: 'takeovers, of accounts with a second factor', measured: `${tally.takeovers}, ${tally.withFactor}` })
    for (const [loot, count] of Object.entries(tally.by)) report({ name: `with a stolen ${loot}`, measured: String(count) })
    report({ name: 'calls tried, succeeded', measured: `${tally.tried}, ${tally.succeeded}` })
    report({ name: 'withdrawals to thieves that waited', measured: String(tally.waiting) })
    report({ name: "dollars sent to owners' own accounts", measured: unitsToDecimal(tally.toOwner, 2) })
    report({ name: 'dollars out within 24 hours', measured: unitsToDecimal(tally.stolen, 2), target: { text: '0', met: tally.stolen === 0n } })
    report({ name: 'accounts changed, of these without a message', measured: `${tally.changed}, ${tally.unnoticed}`, target: { text: '0', met: tally.unnoticed === 0 } })
  })
}
