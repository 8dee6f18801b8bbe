import { join } from 'node:path'
import { buildApp } from '#server/pages/build-app.ts'

/** Builds the app before the first start does, for an image whose files are read-only: `npm run build`. */
await buildApp({ root: join(import.meta.dirname, '..'), log: { info: console.log } })
