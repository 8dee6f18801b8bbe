import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'

/**
 * `npm run durations`: writes test/durations.json, the slow test files with their seconds, which
 * `npm test` leaves to `npm run test:long`. Reads the reports of `.ci/run` in test/output.
 */

const ROOT = join(import.meta.dirname, '..')
const TEST_MAX_MS = 3_000
const FILE_MAX_MS = 15_000

type Report = {
  testResults: { name: string; assertionResults: { duration?: number | null }[] }[]
}

const reports = globSync('test/output/test*.json', { cwd: ROOT })
const long = reports.flatMap((report) => {
  const { testResults } = JSON.parse(readFileSync(join(ROOT, report), 'utf8')) as Report
  return testResults.flatMap(({ name, assertionResults }) => {
    const tests = assertionResults.map(({ duration }) => duration ?? 0)
    const wholeMs = tests.reduce((sum, ms) => sum + ms, 0)
    const isLong = wholeMs > FILE_MAX_MS || Math.max(...tests) > TEST_MAX_MS
    return isLong ? [[relative(ROOT, name), Math.round(wholeMs / 1_000)] as const] : []
  })
})
writeFileSync(
  join(ROOT, 'test/durations.json'),
  `${JSON.stringify(Object.fromEntries(long.toSorted()), undefined, 2)}\n`,
)
console.log(`${long.length} files are left to npm run test:long`)
