import { execFileSync, spawnSync } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from './database.ts'
import { report, seconds, timeOf } from './report.ts'
import { ROOT, start } from './start.ts'

/** From an empty folder: a clone, its first `npm start` until HTTP 200, then `npm test`. */

const TARGET_MS = 300_000

export async function run(): Promise<void> {
  const folder = await makeFolder()
  const clone = join(folder, 'clone')
  try {
    const cloneMs = await timeOf(async () =>
      execFileSync('git', ['clone', '--quiet', ROOT, clone], { stdio: 'inherit' }),
    )
    const started = await start({ dataDir: join(folder, 'data'), from: clone })
    await started.end('SIGTERM')
    let isGreen = false
    const testMs = await timeOf(async () => {
      isGreen = spawnSync('npm', ['test'], { cwd: clone, stdio: 'inherit' }).status === 0
    })
    report({ name: 'first hour, npm start in a new clone', measured: seconds(started.ms) })
    report({
      name: 'first hour, clone to green tests',
      measured: `${seconds(cloneMs + started.ms + testMs)}, ${isGreen ? 'green' : 'RED'}`,
      target: { text: '≤ 5 min', met: isGreen && cloneMs + started.ms + testMs <= TARGET_MS },
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
