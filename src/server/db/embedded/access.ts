import { randomBytes, randomInt } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { StartupError } from '../../kernel/errors.ts'

/** Port and password of a cluster; stored with it, readable only by its owner. */
export type Access = { port: number; password: string }

/**
 * Below the range of ephemeral ports, so that no outgoing connection takes our port during a
 * restart.
 */
const PORT_RANGE = { from: 20_000, to: 32_000 }

export function accessFileOf(dataDir: string): string {
  return join(dataDir, 'postgres', 'access.json')
}

export function urlOf({ port, password }: Access): string {
  return `postgres://postgres:${password}@127.0.0.1:${port}/postgres`
}

export async function newAccess(port: number | undefined): Promise<Access> {
  return { password: randomBytes(24).toString('hex'), port: port ?? (await findFreePort()) }
}

export async function readAccess(file: string): Promise<Access> {
  try {
    const { port, password } = JSON.parse(await readFile(file, 'utf8')) as Partial<Access>
    if (typeof port === 'number' && typeof password === 'string') return { port, password }
  } catch (error) {
    throw new StartupError(
      `The database's password in ${file} cannot be read: put the file back from a backup.`,
      { cause: error },
    )
  }
  throw new StartupError(
    `The database's password in ${file} is damaged: put the file back from a backup.`,
  )
}

export async function keepAccess(file: string, access: Access): Promise<void> {
  const next = `${file}.${process.pid}`
  await writeFile(next, `${JSON.stringify(access)}\n`, { mode: 0o600, flush: true })
  await rename(next, file)
}

export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(PORT_RANGE.from, PORT_RANGE.to)
    if (await isPortFree(port)) return port
  }
}

export function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () =>
      server.close(() => resolve(true)),
    )
  })
}
