import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/**
 * Measures the product against its targets: `npm run bench` runs every bench, `npm run bench -- api
 * tick` runs some.
 */

const BENCHES = [
  'mutation',
  'backtest',
  'trials',
  'luck',
  'evidence',
  'ranges',
  'api',
  'tick',
  'lots',
  'cluster',
  'posts',
  'reads',
  'start',
  'first-hour',
  'first-minute',
  'web',
  'streams',
  'notices',
  'webhooks',
  'help',
  'abuse',
  'fuzz',
  'takeover',
]

const asked = process.argv.slice(2)
const unknown = asked.find((name) => !BENCHES.includes(name))
const [only, ...others] = asked.length > 0 ? asked : BENCHES

if (unknown !== undefined) {
  console.error(`There is no bench ${unknown}: choose from ${BENCHES.join(', ')}.`)
  process.exitCode = 1
} else if (only !== undefined && others.length === 0) {
  const { run } = (await import(`./${only}.ts`)) as { run: () => Promise<void> | void }
  await run()
} else {
  // Each bench runs in a process of its own, so that its memory and warm code do not affect the
  // next.
  for (const name of asked.length > 0 ? asked : BENCHES) {
    const { status } = spawnSync(process.execPath, [fileURLToPath(import.meta.url), name], {
      stdio: 'inherit',
    })
    if (status !== 0) process.exitCode = 1
  }
}
