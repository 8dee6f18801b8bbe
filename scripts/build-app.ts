import { join } from 'node:path'
import { buildApp } from '#server/pages/build-app.ts'
import { StartupError } from '#server/kernel/errors.ts'

/**
 * Builds the app before the first start does, for an image whose files are read-only: `npm run
 * build`.
 */
try {
  await buildApp({ root: join(import.meta.dirname, '..'), log: { info: console.log } })
} catch (error) {
  console.error(error instanceof StartupError ? error.message : error)
  process.exitCode = 1
}
