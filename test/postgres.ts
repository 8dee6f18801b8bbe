import { spawn } from 'node:child_process'
import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startEmbeddedPostgres } from '#server/db/embedded.ts'
import { migrate } from '#server/db/migrate.ts'
import { openDatabase } from '#server/db/open.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The run's PostgreSQL, its maintenance database. */
    postgresUrl: string
  }
}

/** The database with every migration applied, which each test's own database is a copy of. Nobody may be connected to it. */
export const TEMPLATE = 'template'

const MEMORY_FOLDER_MIN_BYTES = 6_000_000_000

const log = { info: () => undefined, warn: console.warn, error: console.error }

/** One PostgreSQL with the product's settings for the whole run, in a folder that is gone afterwards. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(await fastFolder(), 'trading-bot-test-'))
  await chmod(dataDir, 0o711)
  const disarm = removeWhenWeDie(dataDir)
  const embedded = await startEmbeddedPostgres({ dataDir, log })
  await createTemplate(embedded.url)
  project.provide('postgresUrl', embedded.url)
  return async () => {
    await embedded.stop()
    await rm(dataDir, { recursive: true, force: true })
    disarm()
  }
}

/** Memory where there is plenty: a database is 300 files, copied there in 16 ms and in 220 ms on a disk. */
async function fastFolder(): Promise<string> {
  const memory = await statfs('/dev/shm').catch(() => undefined)
  return memory !== undefined && memory.bavail * memory.bsize > MEMORY_FOLDER_MIN_BYTES ? '/dev/shm' : tmpdir()
}

async function createTemplate(url: string): Promise<void> {
  const maintenance = await openDatabase(url, { poolSize: 1 })
  await maintenance`create database ${maintenance(TEMPLATE)}`
  await maintenance.end()
  const template = await openDatabase(databaseUrl(url, TEMPLATE), { poolSize: 1 })
  await migrate(template)
  await template.end()
}

export function databaseUrl(postgresUrl: string, name: string): string {
  const url = new URL(postgresUrl)
  url.pathname = `/${name}`
  return url.href
}

/** A run may be killed before its teardown. This shell notices the end of its input, which no signal can suppress. */
function removeWhenWeDie(dataDir: string): () => void {
  const script = 'while read -r _; do :; done; pid=$(head -n 1 "$0/postgres/cluster/postmaster.pid"); while kill -QUIT "$pid"; do sleep 0.1; done; rm -rf "$0"'
  const shell = spawn('/bin/sh', ['-c', script, dataDir], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
  shell.unref()
  return () => shell.kill('SIGKILL')
}
