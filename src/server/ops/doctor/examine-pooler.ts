import { isSameBook } from '#server/db/check-book.ts'
import { openDatabase, type Sql } from '#server/db/open.ts'
import type { Settings } from '#server/settings.ts'
import { ok, reasonOf, wrong, type Finding } from './finding.ts'

/** `sql` is of DATABASE_SESSION_URL. */
export async function examinePooler(
  { DATABASE_URL: url, DATABASE_SESSION_URL: sessionUrl }: Settings,
  sql: Sql,
): Promise<Finding[]> {
  if (url === undefined || sessionUrl === undefined) return []
  try {
    const pooled = await openDatabase(url, {
      poolSize: 1,
      applicationName: 'trading-bot doctor',
      sessionUrl,
    })
    const isSame = await isSameBook(pooled, sql)
    await pooled.end({ timeout: 1 })
    return [
      isSame
        ? ok(
            'pooler',
            'requests go through DATABASE_URL, the engine, jobs and notifications through ' +
              'DATABASE_SESSION_URL',
          )
        : wrong('pooler', 'DATABASE_URL and DATABASE_SESSION_URL lead to different books'),
    ]
  } catch (error) {
    return [wrong('pooler', reasonOf(error))]
  }
}
