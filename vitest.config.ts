import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'

// Servers, commands and workers start by the hundred: code compiled once halves the work of each start.
process.env['NODE_COMPILE_CACHE'] ??= resolve(import.meta.dirname, 'node_modules/.cache/node')

export default defineConfig({
  test: {
    include: ['src/**/*.test.{ts,tsx}', 'test/**/*.test.ts'],
    globalSetup: ['test/postgres.ts'],
    pool: 'forks',
    // One more than a small machine has cores: some tests wait more than they compute.
    maxWorkers: 3,
    testTimeout: 240_000,
    hookTimeout: 120_000,
    teardownTimeout: 60_000,
    // As long as a browser looks for something: a busy machine is slow, not wrong.
    expect: { poll: { timeout: 30_000 } },
    env: { TZ: 'UTC' },
  },
})
