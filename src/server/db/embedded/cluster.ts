import { execFile, type ExecFileException } from 'node:child_process'
import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  open,
  readdir,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { codeOf, StartupError } from '../../kernel/errors.ts'
import { makeFolder } from '../../kernel/make-folder.ts'
import { keepAccess, newAccess, readAccess, type Access } from './access.ts'
import { findBinaries, type Binaries } from './binaries.ts'
import { reasonIn } from './printed-reason.ts'
import { chooseIdentity, commandAs, owningIdentity, type Identity } from './identity.ts'

/**
 * A cluster on disk: `DATA_DIR/postgres` holds `cluster` (PostgreSQL's own folder), `access.json`
 * and `server.log`.
 */
export type Cluster = {
  home: string
  folder: string
  accessFile: string
  logFile: string
  access: Access
  identity: Identity
  binaries: Binaries
}

const INITDB_TIMEOUT_MINUTES = 10
const ABANDONED_AFTER_MS = 10 * 60_000

/**
 * Opens the cluster of `dataDir`, creating it if necessary. Throws `StartupError` if the folder or
 * its owner does not permit it.
 */
export async function openCluster({
  dataDir,
  port,
}: {
  dataDir: string
  port: number | undefined
}): Promise<Cluster> {
  const binaries = findBinaries()
  const home = join(await writableFolder(dataDir), 'postgres')
  if (!(await exists(home))) await createCluster({ home, port, binaries })
  const accessFile = join(home, 'access.json')
  const kept = await readAccess(accessFile)
  const folder = join(home, 'cluster')
  return {
    home,
    folder,
    accessFile,
    logFile: join(home, 'server.log'),
    access: { ...kept, port: port ?? kept.port },
    identity: await owningIdentity(folder),
    binaries,
  }
}

const REASONS: Record<string, string> = {
  EACCES: 'permission is denied',
  EPERM: 'permission is denied',
  EROFS: 'the file system is read-only',
  ENOTDIR: 'a part of it is a file',
  EEXIST: 'it is a file',
  ENOENT: 'it cannot be created',
  ENOSPC: 'the disk is full',
}

async function writableFolder(dataDir: string): Promise<string> {
  try {
    makeFolder(resolve(dataDir))
    const folder = await realpath(dataDir)
    await rm(await mkdtemp(join(folder, 'probe-')), { recursive: true })
    await removeAbandoned(folder)
    return folder
  } catch (error) {
    const code = codeOf(error) || String(error)
    throw new StartupError(
      `The data folder ${dataDir} cannot be written (${REASONS[code] ?? code}): choose ` +
        'another one with DATA_DIR.',
    )
  }
}

/**
 * Removes drafts of starts that died during initdb; younger drafts may belong to a start in
 * progress.
 */
async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    if (!name.startsWith('postgres.new-')) continue
    const { mtimeMs } = await stat(path)
    if (Date.now() - mtimeMs > ABANDONED_AFTER_MS) await rm(path, { recursive: true, force: true })
  }
}

type NewCluster = { home: string; port: number | undefined; binaries: Binaries }

/**
 * Built in a temporary folder and published by one rename: a crash leaves no partial cluster, and
 * of two starts one wins.
 */
async function createCluster({ home, port, binaries }: NewCluster): Promise<void> {
  const draft = await mkdtemp(`${home}.new-`)
  try {
    await chmod(draft, 0o711)
    const access = await newAccess(port)
    await keepAccess(join(draft, 'access.json'), access)
    await initialise({ draft, password: access.password, binaries })
    await rename(draft, home)
    await flushFolder(join(home, '..'))
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    if (!(await exists(home))) throw error
  }
}

type Draft = { draft: string; password: string; binaries: Binaries }

async function initialise({ draft, password, binaries }: Draft): Promise<void> {
  const cluster = join(draft, 'cluster')
  const passwordFile = join(draft, 'password')
  await mkdir(cluster, { mode: 0o700 })
  await writeFile(passwordFile, password, { mode: 0o600 })
  const identity = chooseIdentity({ program: binaries.initdb, folder: draft })
  if (identity.kind === 'user') {
    for (const path of [cluster, passwordFile]) await chown(path, identity.uid, identity.gid)
  }
  const options = ['--username=postgres', '--auth=scram-sha-256', '--encoding=UTF8', '--locale=C']
  await runInitdb(
    commandAs(identity, binaries.initdb, ['-D', cluster, `--pwfile=${passwordFile}`, ...options]),
  )
  await rm(passwordFile)
}

async function runInitdb([command, args, options]: ReturnType<typeof commandAs>): Promise<void> {
  try {
    await promisify(execFile)(command, args, {
      ...options,
      timeout: INITDB_TIMEOUT_MINUTES * 60_000,
    })
  } catch (error) {
    const { killed, stderr, message } = error as ExecFileException
    throw new StartupError(
      killed === true
        ? `PostgreSQL could not be set up within ${INITDB_TIMEOUT_MINUTES} minutes.`
        : `PostgreSQL could not be set up: ${reasonIn(stderr || message)}.`,
    )
  }
}

async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  await handle.sync()
  await handle.close()
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
