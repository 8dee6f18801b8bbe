import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Runs all rows, then prints their number by section. The exit code is 1 unless all of them ran and
 * passed.
 */

type Outcome = 'passed' | 'failed' | 'skipped'
type Row = { section: string; title: string; outcome: Outcome }
type Report = { testResults: { assertionResults: { title: string; status: string }[] }[] }

const ROOT = join(import.meta.dirname, '..', '..')
const NAMED = /^\[((\d) [^\]]+)\] (.*)$/
const SECTIONS = [
  '',
  'Promises',
  'Screens and routes',
  'Entities',
  'States',
  'Validation',
  'Roles',
  'Calls',
  'Messages',
  'Constants',
]

const rows = runRows()
print(rows)
const ran = rows.filter(({ outcome }) => outcome === 'passed').length
process.exitCode = rows.length > 0 && ran === rows.length ? 0 : 1

function runRows(): Row[] {
  const folder = mkdtempSync(join(tmpdir(), 'spec-'))
  const file = join(folder, 'report.json')
  const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs')
  try {
    spawnSync(
      process.execPath,
      [vitest, 'run', 'test/spec', '--reporter=json', `--outputFile=${file}`],
      { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] },
    )
    const report = JSON.parse(readFileSync(file, 'utf8')) as Report
    return report.testResults.flatMap(({ assertionResults }) => assertionResults.flatMap(readRow))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function readRow({ title, status }: { title: string; status: string }): Row[] {
  const [, , section, what] = NAMED.exec(title) ?? []
  if (section === undefined || what === undefined) return []
  return [
    {
      section,
      title: what,
      outcome: status === 'passed' || status === 'failed' ? status : 'skipped',
    },
  ]
}

function print(all: readonly Row[]): void {
  const count = (of: readonly Row[], outcome: Outcome) =>
    of.filter((row) => row.outcome === outcome).length
  const line = (name: string, of: readonly Row[]) => {
    const settled = of.filter(({ title }) => /decision \d/.test(title)).length
    const figures = [
      of.length,
      settled,
      count(of, 'passed'),
      count(of, 'failed'),
      count(of, 'skipped'),
    ]
    console.log(
      `${name.padEnd(24)}${figures.map((figure) => String(figure).padStart(12)).join('')}`,
    )
  }
  console.log(
    `${'section'.padEnd(24)}${['rows', 'by decision', 'passed', 'failed', 'skipped'].map((name) => name.padStart(12)).join('')}`,
  )
  for (const section of [...new Set(all.map((row) => row.section))].toSorted()) {
    line(
      `${section} ${SECTIONS[Number(section)] ?? ''}`,
      all.filter((row) => row.section === section),
    )
  }
  line('all', all)
  for (const { section, title } of all.filter(({ outcome }) => outcome !== 'passed'))
    console.log(`not passed: [${section}] ${title}`)
}
