import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'
import durations from './test/durations.json' with { type: 'json' }
import { isFull } from './test/length.ts'
import { LongFilesFirst } from './test/long-files-first.ts'

// Servers, commands and workers start by the hundred: code compiled once halves the work of each
// start.
process.env['NODE_COMPILE_CACHE'] ??= resolve(import.meta.dirname, 'node_modules/.cache/node')

const ALL = ['src/**/*.test.{ts,tsx}', 'test/**/*.test.ts']

/**
 * Worlds whose tests need no PostgreSQL. They share the modules of a process; what one sets, such
 * as the reader's language, it sets back.
 */
const PURE = ['src/{core,words,contract,app}/**/*.test.{ts,tsx}']

/** Files that `npm test` leaves to `npm run test:long`. */
const LONG = Object.keys(durations)

/** With a real PostgreSQL for the whole run, and a picture of every page that a test fails on. */
const real = {
  globalSetup: ['test/postgres.ts'],
  setupFiles: ['test/browser/leave-pictures.ts'],
}

export default defineConfig({
  test: {
    pool: 'forks',
    // Twice the cores of a small machine: in sum, tests wait for as long as they compute.
    maxWorkers: 4,
    sequence: { sequencer: LongFilesFirst },
    projects: [
      {
        extends: true,
        test: { name: 'quick', include: ALL, exclude: [...PURE, ...LONG], ...real },
      },
      { extends: true, test: { name: 'long', include: LONG, ...real } },
      {
        extends: true,
        test: { name: 'pure', include: PURE, exclude: LONG, isolate: false },
      },
    ],
    // Limits end what hangs. A busy machine is slow, not wrong, and no test has a limit of its own.
    testTimeout: isFull ? 7_200_000 : 1_800_000,
    hookTimeout: 900_000,
    teardownTimeout: 60_000,
    expect: { poll: { timeout: 180_000 } },
    env: { TZ: 'UTC' },
  },
})
