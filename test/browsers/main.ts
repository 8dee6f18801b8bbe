import { mkdir, rm } from 'node:fs/promises'
import { constants } from 'node:os'
import { join, resolve } from 'node:path'
import {
  endLaunched,
  leftDataDirs,
  makeDataDir,
  removeDataDir,
  startServer,
} from '../process/running-server.ts'
import { endPrograms, type Installed } from './engine.ts'
import * as firefox from './firefox.ts'
import { END, JOB, type Step } from './job.ts'
import { pictureAll } from './pictures.ts'
import { userOf, type User } from './user.ts'
import * as webkit from './webkit.ts'

/**
 * Does the main job in Firefox and in WebKit at the size of a phone, and takes pictures of every
 * screen into `test/output/browsers`. Run by `npm run browsers`; `npm run browsers -- webkit` runs
 * one. An engine that is not installed is left out with a sentence.
 */

const FOLDER = resolve(import.meta.dirname, '../output/browsers')

const ENGINES = { firefox, webkit }

/** Twelve market hours per second: some coin's trend starts while somebody watches. */
const ENV = {
  MARKET_FEED: 'simulated',
  MARKET_SPEED: '43200',
  PAYOUT_DELAY_MS: '1500',
  WITHDRAWAL_HOLD_HOURS: '0',
}

const STEPS: readonly Step[] = [
  {
    name: 'screens of a visitor',
    run: (user) => pictureAll(user, { who: 'visitor', theme: 'light' }),
  },
  ...JOB,
  { name: 'screens of a user', run: (user) => pictureAll(user, { who: 'user', theme: 'light' }) },
  ...END.slice(0, 1),
  {
    name: 'screens of a user in the dark',
    run: (user) => pictureAll(user, { who: 'user', theme: 'dark' }),
  },
  ...END.slice(1),
]

/** After a step that fails, the next one begins at home. */
async function runSteps(user: User): Promise<boolean> {
  let isFine = true
  for (const { name, run } of STEPS) {
    const problems = await run(user).then(
      (): string[] => [],
      async (error: unknown) => {
        await user.picture(`failed ${name}`, { atRest: false })
        await user.open('/')
        return [error instanceof Error ? error.message : String(error)]
      },
    )
    problems.push(...(await user.takeFaults()))
    console.log(problems.length === 0 ? `  ✓ ${name}` : `  ✗ ${name}: ${problems.join(' | ')}`)
    isFine &&= problems.length === 0
  }
  return isFine
}

async function runEngine({ name, start }: Installed): Promise<boolean> {
  const dataDir = await makeDataDir()
  const profile = profileIn(dataDir)
  await mkdir(profile)
  const folder = join(FOLDER, name)
  await rm(folder, { recursive: true, force: true })
  const server = await startServer({ dataDir, env: ENV })
  try {
    const engine = await start(profile)
    try {
      return await runSteps(userOf(engine, { url: server.url, folder }))
    } finally {
      await engine.close()
    }
  } finally {
    await server.stop()
    await remove(dataDir)
  }
}

/** The browser's own folder. */
const profileIn = (dataDir: string): string => join(dataDir, '..', 'browser')

/** A browser that just ended may still write. */
async function remove(dataDir: string): Promise<void> {
  await rm(profileIn(dataDir), { recursive: true, force: true, maxRetries: 5 })
  await removeDataDir(dataDir)
}

async function runAll(wanted: readonly string[]): Promise<void> {
  for (const [name, { find, PACKAGES }] of Object.entries(ENGINES).filter(
    ([name]) => wanted.length === 0 || wanted.includes(name),
  )) {
    const installed = find()
    if (installed === undefined)
      console.log(
        `${name} is not installed, so nothing was tried in it: apt-get install ` +
          `--no-install-recommends ${PACKAGES}`,
      )
    else {
      console.log(`${name}, pictures in ${join(FOLDER, name)}`)
      if (!(await runEngine(installed))) process.exitCode = 1
    }
  }
}

let isEnding = false

/**
 * Ends the server and the browser too: neither notices by itself that nobody is left who would end
 * it.
 */
async function endEarly(signal: 'SIGINT' | 'SIGTERM'): Promise<void> {
  if (isEnding) return
  isEnding = true
  await clearUp()
  process.exit(128 + constants.signals[signal])
}

async function endAfterFailure(error: unknown): Promise<void> {
  // The signal makes the rest fail, and `endEarly` clears up.
  if (isEnding) return
  console.error(error)
  process.exitCode = 1
  await clearUp()
}

async function clearUp(): Promise<void> {
  await Promise.all([endLaunched(), endPrograms()])
  await Promise.all(leftDataDirs().map(remove))
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void endEarly(signal))
await runAll(process.argv.slice(2)).catch(endAfterFailure)
