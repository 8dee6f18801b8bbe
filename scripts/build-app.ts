import { join } from 'node:path'
import { buildApp } from '#server/pages/build-app.ts'
import { StartupError } from '#server/kernel/errors.ts'

/**
 * `npm run build`: builds the app in advance, for an image with read-only files. Otherwise the
 * first start builds it.
 */
try {
  await buildApp({ root: join(import.meta.dirname, '..'), log: { info: console.log } })
} catch (error) {
  console.error(error instanceof StartupError ? error.message : error)
  process.exitCode = 1
}
