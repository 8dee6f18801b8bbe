import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig } from '#server/settings/config.ts'
import { ROOT } from '../tidy/source.ts'

/** Tests, and the rules about the code that `test/tidy/tidy.test.ts` runs. */
const NAMED = /`([^`]+\.test\.ts|test\/tidy\/\w+\.ts)`((?:,? "[^"]+")+)/g

const rows = readFileSync(join(ROOT, 'docs/asvs.md'), 'utf8')
  .split('\n')
  .filter((line) => /^\| \d/.test(line))

/** Tests that a row names and that do not exist. The row itself if it names none. */
function missingIn(row: string): string[] {
  const named = [...row.matchAll(NAMED)].flatMap(([, file = '', titles = '']) =>
    [...titles.matchAll(/"([^"]+)"/g)].map(([, title = '']) => ({ file, title })),
  )
  const missing = named.filter(
    ({ file, title }) =>
      !existsSync(join(ROOT, file)) || !titlesIn(file).some((known) => known.includes(title)),
  )
  return named.length === 0 ? [row] : missing.map(({ file, title }) => `${file}: ${title}`)
}

/** The titles of a file's tests, and the first words of the rows of its tables. */
function titlesIn(file: string): string[] {
  const text = readFileSync(join(ROOT, file), 'utf8')
  const joined = text.replace(/([([:,])\n\s+(?=['"`(]|async )/g, '$1 ')
  return joined
    .split('\n')
    .filter((line) =>
      /\btest(\.each.*)?\(|\)\( ?['"`]|^\s*\[? ?['"`].*, (async )?\(|^\s*name: '/.test(line),
    )
}

test('every requirement in the table of ASVS names tests, and they exist', () => {
  expect(rows.length).toBeGreaterThan(35)
  expect(rows.flatMap(missingIn)).toEqual([])
})

/** `7.2.1-3` and `6.2.2, 6.2.3` name several. */
function requirementsOf(row: string): string[] {
  const named = /^\| ([\d., -]*\d)/.exec(row)?.[1]?.split(', ') ?? []
  return named.flatMap((name) => {
    const [, head = '', first, last] = /^(\d+\.\d+\.)(\d+)(?:-(\d+))?$/.exec(name) ?? []
    return Array.from(
      { length: Number(last ?? first) - Number(first) + 1 },
      (_none, index) => `${head}${Number(first) + index}`,
    )
  })
}

test('requirements that hold are counted, and a reason is given for each that does not', () => {
  const page = readFileSync(join(ROOT, 'docs/asvs.md'), 'utf8')
  const deviations = [
    ...readFileSync(join(ROOT, 'SECURITY.md'), 'utf8').matchAll(/^- \*\*(\d+\.\d+\.\d+),/gm),
  ].map(([, name = '']) => name)
  const shown = rows.flatMap(requirementsOf)
  expect(
    shown.filter((name, place) => shown.indexOf(name) !== place || deviations.includes(name)),
  ).toEqual([])
  expect(page).toContain(`${shown.length} of ${shown.length + deviations.length} hold`)
  expect(
    [...(page.split('## What does not hold')[1] ?? '').matchAll(/\d+\.\d+\.\d+/g)].map(
      ([name]) => name,
    ),
  ).toEqual(deviations)
})

test.each([
  ['| 1.1.1 | no test |', '| 1.1.1 | no test |'],
  [
    '| 1.1.1 | `test/documents/asvs.test.ts` "every", "no such title" |',
    'test/documents/asvs.test.ts: no such title',
  ],
  ['| 1.1.1 | `test/nowhere.test.ts` "every" |', 'test/nowhere.test.ts: every'],
])('a row without a test, and a title that no test has, are found: %s', (row, finding) =>
  expect(missingIn(row)).toEqual([finding]),
)

test('the documents state how soon each severity is fixed, and how updates are found', () => {
  const [security, dependencies] = ['SECURITY.md', 'docs/dependencies.md'].map((name) =>
    readFileSync(join(ROOT, name), 'utf8'),
  )
  const times = [
    ...(security ?? '').matchAll(/^\| (critical|high|medium|low|none)\b[^|]*\| (\d+) days?\b/gm),
  ].map(([, severity, days]) => [severity, Number(days)] as const)
  expect(times.map(([severity]) => severity)).toEqual(['critical', 'high', 'medium', 'low', 'none'])
  expect(
    times.map(([, days]) => days),
    'the worse, the sooner',
  ).toEqual(times.map(([, days]) => days).toSorted((one, other) => one - other))
  expect(Math.max(...times.map(([, days]) => days))).toBeLessThanOrEqual(90)
  const found = /## How updates are found\n([^#]+)/.exec(dependencies ?? '')?.[1] ?? ''
  for (const way of [
    'every day',
    'every month',
    'npm audit',
    'npm run sbom',
    'npm outdated',
    'no longer maintained',
  ])
    expect(found).toContain(way)
})

test('the documented lifetimes of a session equal the settings', () => {
  const decision = readFileSync(
    join(ROOT, 'docs/decisions/040-proxies-sessions-and-kept-answers.md'),
    'utf8',
  )
  const { SESSION_DAYS, SESSION_IDLE_DAYS } = readConfig({ SESSION_SECRET: 'x'.repeat(32) })
  expect(decision).toContain(
    `last ${SESSION_DAYS} days (\`SESSION_DAYS\`) and end after ${SESSION_IDLE_DAYS} without ` +
      `a call (\`SESSION_IDLE_DAYS\`)`,
  )
})
