import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '..')

/**
 * Tests that otherwise run in short, at full length, one after the other: `npm run bench -- long`.
 */
export function run(): void {
  const files = globSync('test/**/*.test.ts', { cwd: ROOT }).filter((file) =>
    readFileSync(join(ROOT, file), 'utf8').includes('/length.ts'),
  )
  const { status } = spawnSync('vitest', ['run', '--no-file-parallelism', ...files], {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, TEST_LENGTH: 'full' },
  })
  if (status !== 0) process.exitCode = 1
}
