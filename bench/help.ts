import { pino } from 'pino'
import { readConfig } from '#server/settings/config.ts'
import { openContext } from '#server/open-context.ts'
import { readHabits } from '../test/help/habits.ts'
import { resetThrottles } from '../test/world/reset-throttles.ts'
import { openWorld, SETTINGS } from '../test/world/world.ts'
import { withDatabase } from './database.ts'
import { milliseconds, percentile, report, timeOf } from './report.ts'

/**
 * Time of the help's answers: 600 questions one after the other, including the throttle and, for
 * own figures, the reads of the ledger.
 */

const TARGET_MS = 20
/** Questions before the measurement, so that the code is warm. */
const WARM_UP = 50
/** Below the number that the throttle allows in a minute. */
const QUESTIONS_PER_RESET = 20

export async function run(): Promise<void> {
  await withDatabase(async (book) => {
    const { sql } = book
    const config = readConfig({ ...SETTINGS, MARKET_FEED: 'simulated' })
    const world = await openWorld(
      openContext({ ...book, config, log: pino({ level: 'fatal' }) }),
      () => Promise.resolve(),
    )
    const user = await world.user('ada')
    const ask = (message: string) => timeOf(() => user.call('askHelp', { body: { message } }))
    const firstMs = await ask('How do I withdraw?')
    const questions = (['open', 'held-out'] as const)
      .flatMap(readHabits)
      .map(({ question }) => question)
    const times: number[] = []
    for (const [place, question] of [...questions.slice(0, WARM_UP), ...questions].entries()) {
      if (place % QUESTIONS_PER_RESET === 0) await resetThrottles(sql)
      times.push(await ask(question))
    }
    const measured = times.slice(WARM_UP)
    const [half, most] = [percentile(measured, 0.5), percentile(measured, 0.95)]
    const name = `help, ${measured.length} answers`
    report({ name: `${name}, p50`, measured: milliseconds(half) })
    report({
      name: `${name}, p95`,
      measured: milliseconds(most),
      target: { text: `≤ ${TARGET_MS} ms`, met: most <= TARGET_MS },
    })
    report({
      name: 'help, the first question, which learns the articles',
      measured: milliseconds(firstMs),
    })
    await world.app.close()
  })
}
