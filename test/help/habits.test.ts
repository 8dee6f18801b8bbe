import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { understandIn } from '#core/help/understand.ts'
import { VENUE_COSTS } from '#core/trading/costs.ts'
import { readConfig } from '#server/settings/config.ts'
import { openLibrary } from '#server/help/library.ts'
import { NO_EVIDENCE } from './no-evidence.ts'
import { readHabits, type Half, type Habit } from './habits.ts'

const library = openLibrary(readConfig({ SESSION_SECRET: 'x'.repeat(32) }), {
  costs: VENUE_COSTS.binance,
  evidence: NO_EVIDENCE,
})()
const indexes = await library.indexes()

const OUTSIDE = ['off-product', 'unknown']

/**
 * The answer to a question, best first: articles, or the name of the fixed answer as `Habit` has
 * it.
 */
function answersTo({ question }: Habit): string[] {
  const {
    understanding: { kind, found },
  } = understandIn(indexes, question)
  if (kind === 'article') return found.slice(0, 3).map(({ id }) => id)
  return [kind === 'advice' ? 'declined' : kind]
}

/** Prints scores and never a question, so that the held-out half stays unseen. */
function share(
  name: string,
  habits: readonly Habit[],
  isCounted: (habit: Habit) => boolean,
): number {
  const part = habits.filter(isCounted).length / habits.length
  console.log(`help by habits: ${name} ${(part * 100).toFixed(1)} % of ${habits.length}`)
  return part
}

test.each<Half>(['open', 'held-out'])(
  "questions in users' own words find their article; few others are answered: %s half",
  (half) => {
    const habits = readHabits(half)
    const inside = habits.filter(({ accepted }) => !accepted.some((name) => OUTSIDE.includes(name)))
    const isAccepted = ({ accepted }: Habit, names: readonly string[]) =>
      names.some((name) => accepted.includes(name))
    const isAnswered = (habit: Habit) => !answersTo(habit).some((name) => OUTSIDE.includes(name))
    const outside = (label: string) => habits.filter(({ accepted }) => accepted.includes(label))
    const first = share(`${half} half, hit@1`, inside, (habit) =>
      isAccepted(habit, answersTo(habit).slice(0, 1)),
    )
    const three = share(`${half} half, hit@3`, inside, (habit) =>
      isAccepted(habit, answersTo(habit)),
    )
    const money = share(
      `${half} half, off-product money questions answered`,
      outside('off-product'),
      isAnswered,
    )
    const others = share(`${half} half, other fields answered`, outside('unknown'), isAnswered)
    expect(first).toBeGreaterThanOrEqual(0.7)
    expect(three).toBeGreaterThanOrEqual(0.84)
    expect(money).toBeLessThanOrEqual(0.12)
    expect(others).toBeLessThanOrEqual(0.06)
  },
)

test("there are 600 questions in users' own words, none in an article, each with an answer", () => {
  const habits = (['open', 'held-out'] as const).flatMap(readHabits)
  expect(habits.length).toBeGreaterThanOrEqual(600)
  const named = new Set(habits.flatMap(({ accepted }) => accepted))
  expect(
    [...named].filter(
      (name) => !library.ids.includes(name) && !['account', 'declined', ...OUTSIDE].includes(name),
    ),
  ).toEqual([])
  const bare = (text: string) =>
    text
      .toLowerCase()
      .replaceAll(/[^a-z0-9 ]/g, '')
      .trim()
  const folder = 'docs/help'
  const texts = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => readFileSync(`${folder}/${name}`, 'utf8'))
  const phrasings = new Set(
    texts.flatMap((text) =>
      [...text.matchAll(/^(?: {2}- |title: )(.+)$/gm)].map(([, line = '']) => bare(line)),
    ),
  )
  expect(
    habits
      .map(({ question }) => bare(question))
      .filter((question) => question !== '' && phrasings.has(question)),
  ).toEqual([])
})
