import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '#server/db/embedded.ts'
import { migrate } from '#server/db/migrate.ts'
import { openDatabase } from '#server/db/open.ts'
import { schemaText } from './schema-text.ts'

/** Writes docs/schema.sql from a database that has just been migrated: `npm run schema`. */

const dataDir = await mkdtemp(join(tmpdir(), 'trading-bot-schema-'))
await chmod(dataDir, 0o711)
const quiet = { info: () => undefined, warn: console.warn, error: console.error }
const embedded = await startEmbeddedPostgres({ dataDir, log: quiet })
try {
  const sql = await openDatabase(embedded.url)
  await migrate(sql)
  await writeFile(new URL('../docs/schema.sql', import.meta.url), await schemaText(sql))
  await sql.end()
} finally {
  await embedded.stop()
  await rm(dataDir, { recursive: true, force: true })
}
