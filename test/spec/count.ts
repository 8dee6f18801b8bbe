import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Runs all rows in tables of a random order, then prints their number by section; `npm run spec --
 * 'words of a row'` runs the rows with these words alone. The exit code is 1 unless all of them ran
 * and passed.
 */

type Outcome = 'passed' | 'failed' | 'skipped'
type Row = { section: string; title: string; outcome: Outcome }
type Report = { testResults: { assertionResults: { title: string; status: string }[] }[] }

const ROOT = join(import.meta.dirname, '..', '..')
/** Decides the order of the tables. */
const SEED = Date.now()
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

const [words] = process.argv.slice(2)
if (words === undefined) countRows()
else process.exitCode = runOnly(words)

/**
 * Loads only the files that contain these words, unless a row's title is composed of several parts.
 */
function runOnly(wanted: string): number {
  const having = globSync('test/spec/*.test.ts', { cwd: ROOT }).filter((file) =>
    readFileSync(join(ROOT, file), 'utf8').includes(wanted),
  )
  const pattern = wanted.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return vitest([...(having.length === 0 ? ['test/spec'] : having), '-t', pattern], 'inherit')
}

/** Runs the rows; returns the exit code. */
function vitest(options: readonly string[], output: 'ignore' | 'inherit'): number {
  const program = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs')
  const { status } = spawnSync(process.execPath, [program, 'run', ...options], {
    cwd: ROOT,
    stdio: ['ignore', output, 'inherit'],
  })
  return status ?? 1
}

function countRows(): void {
  const rows = runRows()
  print(rows)
  const ran = rows.filter(({ outcome }) => outcome === 'passed').length
  process.exitCode = rows.length > 0 && ran === rows.length ? 0 : 1
}

function runRows(): Row[] {
  const folder = mkdtempSync(join(tmpdir(), 'spec-'))
  const file = join(folder, 'report.json')
  try {
    const order = ['test/spec', '--sequence.shuffle.tests', `--sequence.seed=${SEED}`]
    vitest([...order, '--reporter=json', `--outputFile=${file}`], 'ignore')
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
  const names = ['rows', 'by decision', 'passed', 'failed', 'skipped']
  console.log(`${'section'.padEnd(24)}${names.map((name) => name.padStart(12)).join('')}`)
  for (const section of [...new Set(all.map((row) => row.section))].toSorted()) {
    line(
      `${section} ${SECTIONS[Number(section)] ?? ''}`,
      all.filter((row) => row.section === section),
    )
  }
  line('all', all)
  for (const { section, title } of all.filter(({ outcome }) => outcome !== 'passed'))
    console.log(`not passed in order ${SEED}: [${section}] ${title}`)
}
