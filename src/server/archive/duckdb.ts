import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'

/**
 * One thread, so that a request keeps a core for the others; what does not fit into memory waits on
 * the disk. Threat: nothing is fetched from anywhere.
 */
const LIMITS = {
  threads: '1',
  max_memory: '512MB',
  temp_directory: join(tmpdir(), `archive-${process.pid}`),
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
}

let opening: Promise<DuckDBInstance> | undefined

/**
 * A connection for one question. DuckDB is loaded with the first one, which takes some 30 MB and a
 * third of a second.
 */
export async function withDuckDb<Result>(
  work: (connection: DuckDBConnection) => Promise<Result>,
): Promise<Result> {
  const connection = await connectDuckDb()
  try {
    return await work(connection)
  } finally {
    connection.closeSync()
  }
}

/** The caller closes it. */
export async function connectDuckDb(): Promise<DuckDBConnection> {
  opening ??= open()
  return (await opening).connect()
}

async function open(): Promise<DuckDBInstance> {
  const { DuckDBInstance: Instance } = await import('@duckdb/node-api')
  return Instance.create(':memory:', LIMITS)
}
