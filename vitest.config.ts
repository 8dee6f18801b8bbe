import { resolve } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import durations from './test/durations.json' with { type: 'json' }
import { CHROMIUM, CHROMIUM_FLAGS } from './test/browser/unpack-chromium.ts'
import { isFull } from './test/world/length.ts'
import { LongFilesFirst } from './test/process/long-files-first.ts'

// Servers, commands and workers start by the hundred: code compiled once halves the work of each
// start.
process.env['NODE_COMPILE_CACHE'] ??= resolve(import.meta.dirname, 'node_modules/.cache/node')

const ALL = ['src/**/*.test.{ts,tsx}', 'test/**/*.test.ts']

/**
 * Worlds whose tests need no PostgreSQL. They share the modules of a process; what one sets, such
 * as the reader's language, it sets back.
 */
const PURE = ['src/{core,words,contract,app}/**/*.test.{ts,tsx}']

/** Parts of screens, each alone in a browser with the app's styles. */
const PARTS = ['src/app/**/*.browser.test.tsx']

/** Files that `npm test` leaves to `npm run test:long`. */
const LONG = Object.keys(durations)

/** With a real PostgreSQL for the whole run, and a picture of every page that a test fails on. */
const real = {
  globalSetup: ['test/process/postgres.ts'],
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
        test: { name: 'pure', include: PURE, exclude: [...PARTS, ...LONG], isolate: false },
      },
      {
        extends: true,
        plugins: [tailwindcss()],
        // A dependency that Vite finds only while tests run makes it reload their page.
        optimizeDeps: {
          include: [
            '@tanstack/react-query',
            'react',
            'react/jsx-dev-runtime',
            'react-dom',
            'react-dom/client',
          ],
        },
        test: {
          name: 'parts',
          include: PARTS,
          isolate: false,
          fileParallelism: false,
          // After the others: these files share one page.
          sequence: { groupOrder: 1 },
          globalSetup: ['test/browser/unpack-chromium.ts'],
          expect: { poll: { timeout: 30_000 } },
          browser: {
            enabled: true,
            headless: true,
            provider: playwright({
              actionTimeout: 30_000,
              launchOptions: { executablePath: CHROMIUM, args: CHROMIUM_FLAGS },
              contextOptions: { hasTouch: true, locale: 'en-US', timezoneId: 'UTC' },
            }),
            instances: [{ browser: 'chromium', name: 'parts' }],
            viewport: { width: 390, height: 844 },
          },
        },
      },
    ],
    // Limits end what hangs. A busy machine is slow, not wrong, and no test has a limit of its own.
    testTimeout: isFull ? 7_200_000 : 3_600_000,
    hookTimeout: 900_000,
    teardownTimeout: 60_000,
    expect: { poll: { timeout: 180_000 } },
    env: { TZ: 'UTC' },
    attachmentsDir: 'test/output/failures/parts',
  },
})
