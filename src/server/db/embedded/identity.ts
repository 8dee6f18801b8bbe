import { spawnSync, type SpawnOptions } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { StartupError } from '../../kernel/errors.ts'

/**
 * The system user that runs PostgreSQL, which refuses to run as root, the usual user in containers.
 */
export type Identity =
  | { kind: 'self' }
  | { kind: 'user'; uid: number; gid: number }
  /**
   * Root in a user namespace: PostgreSQL sees uid 1000 while files belong to root, so that it can
   * use folders closed to all but root.
   */
  | { kind: 'namespace' }

/** Paths that an identity needs access to: the programs to run and the folder to write. */
type Reach = { program: string; folder: string }

/**
 * Our own user. For root: the first of postgres, nobody and a user namespace that has access to
 * both paths.
 */
export function chooseIdentity(reach: Reach): Identity {
  if (process.getuid?.() !== 0) return { kind: 'self' }
  const candidates: Identity[] = [
    ...['postgres', 'nobody'].flatMap(userNamed),
    { kind: 'namespace' },
  ]
  const chosen = candidates.find((identity) => reaches(identity, reach))
  if (chosen !== undefined) return chosen
  throw new StartupError(
    'PostgreSQL refuses to run as root, and no other suitable user exists: start as another ' +
      'user, or set DATABASE_URL.',
  )
}

/** The identity that owns `cluster`: PostgreSQL runs only as the owner of its data. */
export async function owningIdentity(cluster: string): Promise<Identity> {
  const { uid, gid } = await stat(cluster)
  const own = process.getuid?.()
  if (own === uid && own !== 0) return { kind: 'self' }
  if (own === 0) return uid === 0 ? { kind: 'namespace' } : { kind: 'user', uid, gid }
  throw new StartupError(
    `The database in ${cluster} belongs to user ${uid}, and cannot be started by this user: ` +
      `start as user ${uid}.`,
  )
}

/** The program, arguments and options that make `program` run as `identity`. */
export function commandAs(
  identity: Identity,
  program: string,
  args: readonly string[],
): [string, string[], SpawnOptions] {
  const options: SpawnOptions = {
    cwd: '/',
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
  }
  if (identity.kind === 'self') return [program, [...args], options]
  if (identity.kind === 'user')
    return [program, [...args], { ...options, uid: identity.uid, gid: identity.gid }]
  return [
    'unshare',
    ['--user', '--map-user=1000', '--map-group=1000', '--', program, ...args],
    options,
  ]
}

function reaches(identity: Identity, { program, folder }: Reach): boolean {
  const test = 'test -x "$0" && test -x "$1" && test "$(id -u)" != 0'
  const [command, args, options] = commandAs(identity, '/bin/sh', ['-c', test, program, folder])
  return spawnSync(command, args, { ...options, stdio: 'ignore', timeout: 60_000 }).status === 0
}

function userNamed(name: string): Identity[] {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((row) => row.startsWith(`${name}:`))
  const [, , uid, gid] = line?.split(':') ?? []
  return uid === undefined || gid === undefined
    ? []
    : [{ kind: 'user', uid: Number(uid), gid: Number(gid) }]
}
