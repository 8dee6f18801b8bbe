import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { Stryker } from '@stryker-mutator/core'
import { EQUIVALENT } from './equivalent-mutants.ts'
import { report } from './report.ts'

/**
 * Folders of core whose rules decide about money and about who may move it.
 * `BENCH_FOLDERS=money,auth` selects some.
 */
const FOLDERS = [
  'money',
  'ledger',
  'trading',
  'deposits',
  'withdrawals',
  'auth',
  'operators',
  'pool',
  'bots',
]
const TARGET_PERCENT = 92

type Mutant = Awaited<ReturnType<Stryker['runMutationTest']>>[number]
type Survivor = { file: string; line: number; code: string; replacement: string }

/**
 * Breaks the rules of core, one small change at a time, and runs the tests beside them. A change
 * that passes shows a rule without a test. Tests of the server and in `test` are not run.
 */
export async function run(): Promise<void> {
  const tested: Mutant[] = []
  for (const folder of process.env.BENCH_FOLDERS?.split(',') ?? FOLDERS) {
    const mutants = await mutantsOf(folder)
    for (const mutant of mutants.filter(survives))
      console.log(`  ${sentenceOf(survivorOf(mutant))}`)
    reportScore(folder, mutants)
    tested.push(...mutants)
  }
  reportScore('all', tested)
}

/**
 * Every mutant of one folder's code, tested by the tests of that folder, in a copy of core in a
 * temporary folder.
 */
async function mutantsOf(folder: string): Promise<Mutant[]> {
  const stryker = new Stryker({
    configFile: 'bench/stryker.json',
    mutate: [`src/core/${folder}/*.ts`, '!src/core/**/*.test.ts'],
    vitest: { dir: `src/core/${folder}`, related: false },
    tempDirName: join(tmpdir(), `mutation-${process.pid}`),
  })
  return stryker.runMutationTest()
}

const survives = ({ status }: Mutant): boolean => status === 'Survived' || status === 'NoCoverage'
const isNoticed = ({ status }: Mutant): boolean => status === 'Killed' || status === 'Timeout'

function reportScore(name: string, mutants: readonly Mutant[]): void {
  const noticed = mutants.filter(isNoticed).length
  const survivors = mutants.filter(survives).map(survivorOf)
  const argued = survivors.filter((survivor) => reasonOf(survivor) !== undefined).length
  const share = (100 * noticed) / (noticed + survivors.length)
  report({
    name: `mutation: ${name}`,
    measured: `${share.toFixed(1)} %, ${noticed} of ${noticed + survivors.length} noticed`,
    ratio:
      `${argued} of the ${survivors.length} others change nothing, ` +
      `${mutants.length - noticed - survivors.length} did not load`,
    target: { text: `≥ ${TARGET_PERCENT} %`, met: share >= TARGET_PERCENT },
  })
}

function survivorOf({ fileName, location: { start, end }, replacement = '' }: Mutant): Survivor {
  const lines = readFileSync(fileName, 'utf8')
    .split('\n')
    .slice(start.line - 1, end.line)
  const last = lines.length - 1
  const code = lines
    .map((line, index) =>
      line.slice(index === 0 ? start.column - 1 : 0, index === last ? end.column - 1 : undefined),
    )
    .join(' ')
  return {
    file: relative('src/core', fileName),
    line: start.line,
    code,
    replacement: replacement.replaceAll(/\s+/g, ' '),
  }
}

const reasonOf = ({ file, code, replacement }: Survivor): string | undefined =>
  EQUIVALENT.find(
    (known) => known.file === file && known.code === code && known.replacement === replacement,
  )?.reason

function sentenceOf(survivor: Survivor): string {
  const { file, line, code, replacement } = survivor
  return `${file}:${line}: ${code} → ${replacement}: ${reasonOf(survivor) ?? 'NO TEST NOTICES'}`
}
