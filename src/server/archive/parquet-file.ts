import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { DuckDBAppender } from '@duckdb/node-api'
import { assert } from '#core/assert.ts'
import { codeOf } from '#server/code-of.ts'
import type {
  Archive,
  ArchivedFile,
  ArchivedRow,
  ArchivedSpan,
  ArchivedTable,
} from '#server/db/archive.ts'
import { ArchiveFault } from './archive-fault.ts'
import { connectDuckDb, withDuckDb } from './duckdb.ts'
import { ARCHIVED_TABLES } from './tables.ts'

/** Rows that a process keeps, and of one answer: about 50 MB at most. */
const KEPT_ROWS = 30_000
const KEPT_ROWS_OF_ANSWER = 3_000

/**
 * Keeps the answers for the users who were active last: one screen asks for the same rows several
 * times, and a file never changes.
 */
function keepAnswers(): (
  key: string,
  read: () => Promise<ArchivedRow[]>,
) => Promise<ArchivedRow[]> {
  const kept = new Map<string, { rows: Promise<ArchivedRow[]>; size: number }>()
  let size = 0
  const forget = (key: string): void => {
    size -= kept.get(key)?.size ?? 0
    kept.delete(key)
  }
  return async (key, read) => {
    const answer = kept.get(key) ?? { rows: read(), size: 0 }
    // The keys of a map are in the order in which they were set.
    kept.delete(key)
    kept.set(key, answer)
    const rows = await answer.rows.catch((error: unknown) => {
      forget(key)
      throw error
    })
    if (rows.length > KEPT_ROWS_OF_ANSWER) forget(key)
    else if (answer.size === 0 && kept.get(key) === answer) {
      answer.size = rows.length + 1
      size += answer.size
    }
    for (const oldest of kept.keys()) {
      if (size <= KEPT_ROWS) break
      forget(oldest)
    }
    return rows
  }
}

/** The files of archived months in a folder. */
export function openArchive(folder: string): Archive {
  const readOnce = keepAnswers()
  const verified = new Map<string, Promise<void>>()
  const verify = async ({ name, sha256 }: ArchivedFile): Promise<void> => {
    const found = await hashOf(join(folder, name)).catch((error: unknown) => {
      throw new ArchiveFault(
        `the file ${name} cannot be read in ${folder} (${codeOf(error) || 'unknown error'})`,
      )
    })
    if (found !== sha256)
      throw new ArchiveFault(`the file ${name} in ${folder} is not as it was written`)
  }
  /**
   * Once in the life of a process, because a file never changes; after a fault it is looked at
   * again.
   */
  const verifyOnce = (file: ArchivedFile): Promise<void> => {
    const known = verified.get(file.sha256) ?? verify(file)
    verified.set(file.sha256, known)
    known.catch(() => verified.delete(file.sha256))
    return known
  }
  return {
    folder,
    verify,
    rowsOf: async (file, span) => {
      await verifyOnce(file)
      const read = () =>
        readRows(join(folder, file.name), { table: file.table, span }).catch(
          async (error: unknown) => {
            // It may have vanished or changed since it was verified: then this says so.
            await verify(file)
            throw error
          },
        )
      return span.from === span.to && span.ids === undefined
        ? readOnce(`${file.sha256} ${span.from}`, read)
        : read()
    },
    sumsOf: ({ table, name }) => readSums(join(folder, name), table),
  }
}

export async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

async function readRows(
  path: string,
  { table, span: { from, to, ids } }: { table: ArchivedTable; span: ArchivedSpan },
): Promise<ArchivedRow[]> {
  const { columns, order, key } = ARCHIVED_TABLES[table]
  const texts = Object.keys(columns).map((name) => `${name}::varchar as ${name}`)
  const among = ids === undefined ? '' : `and ${key} between $4::uuid and $5::uuid`
  const text = `select ${texts.join(', ')} from (select * from read_parquet($1)
    where user_id between $2::uuid and $3::uuid ${among} order by ${order.join(', ')})`
  return withDuckDb(async (connection) => {
    const answer = await connection.runAndReadAll(text, [
      path,
      from,
      to,
      ...(ids === undefined ? [] : [ids.from, ids.to]),
    ])
    return answer.getRowObjects() as ArchivedRow[]
  })
}

async function* readSums(path: string, table: ArchivedTable): AsyncGenerator<string[]> {
  const { sum, sums } = ARCHIVED_TABLES[table]
  const connection = await connectDuckDb()
  try {
    const answer = await connection.stream(
      `select concat_ws(' ', ${sum}, ${sums}) from read_parquet($1) group by ${sum}
        order by ${sum}`,
      [path],
    )
    for await (const rows of answer.yieldRows()) yield rows.map(([line]) => String(line))
  } finally {
    connection.closeSync()
  }
}

/** Rows in a group, of which a reader skips those that have none of its user. */
const GROUP_ROWS = 50_000

/**
 * Writes rows, each with the columns of its table as text and in the order of its key, to a file
 * that is complete once it has its name. Returns the number of rows and the hash.
 */
export async function writeParquet(
  path: string,
  { table, rows }: { table: ArchivedTable; rows: AsyncIterable<(string | null)[][]> },
): Promise<{ rows: number; sha256: string }> {
  const { columns } = ARCHIVED_TABLES[table]
  const draft = `${path}.part`
  let count = 0
  await withDuckDb(async (connection) => {
    await connection.run(
      `create temporary table staged (place bigint, ${Object.keys(columns)
        .map((name) => `${name} varchar`)
        .join(', ')})`,
    )
    const appender = await connection.createAppender('staged', 'main', 'temp')
    for await (const portion of rows)
      for (const row of portion) appendRow(appender, { place: (count += 1), row })
    appender.closeSync()
    const typed = Object.entries(columns).map(([name, type]) => `${name}::${type} as ${name}`)
    await connection.run(
      `copy (select ${typed.join(', ')} from staged order by place) to ` +
        `'${draft.replaceAll("'", "''")}' (format parquet, compression zstd, row_group_size ` +
        `${GROUP_ROWS})`,
    )
    const [[written] = []] = (
      await connection.runAndReadAll('select count(*) from read_parquet($1)', [draft])
    ).getRows()
    assert(written === BigInt(count), 'every row is in the file')
  })
  await flush(draft)
  const sha256 = await hashOf(draft)
  await rename(draft, path)
  return { rows: count, sha256 }
}

function appendRow(
  appender: DuckDBAppender,
  { place, row }: { place: number; row: readonly (string | null)[] },
): void {
  appender.appendBigInt(BigInt(place))
  for (const value of row) {
    if (value === null) appender.appendNull()
    else appender.appendVarchar(value)
  }
  appender.endRow()
}

/**
 * Of a file or a folder. Bytes and names that are only in memory would be lost with the machine,
 * and their rows with them.
 */
export async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r')
  await handle.sync()
  await handle.close()
}
