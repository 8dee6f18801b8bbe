import pg from 'pg'
import { codeOf } from '#server/kernel/errors.ts'

/** `postgres://user:password@`, hosts with ports, and the rest. */
const PARTS = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/

/**
 * One address for each host that `url` names, as in
 * `postgres://user:password@one:5432,two:5432/name`.
 */
export function addressesOf(url: string): [string, ...string[]] {
  const [, start = '', hosts = '', rest = ''] = PARTS.exec(url) ?? []
  const [first, ...others] = hosts.split(',').map((host) => `${start}${host}${rest}`)
  return others.length === 0 || first === undefined ? [url] : [first, ...others]
}

/**
 * Appended to error messages about addresses, because an unescaped separator cuts a password in
 * two.
 */
export const ESCAPES =
  'in its user name and password, write % as %25, @ as %40, # as %23, / as %2F and : as %3A'
const EXPECTED =
  'it is the address of a PostgreSQL, such as postgres://user:password@host:5432/name; ' + ESCAPES

/**
 * The reason why the driver cannot parse this address, as the end of a sentence; undefined if it
 * can.
 */
export function faultOfAddress(url: string): string | undefined {
  return addressesOf(url)
    .map(faultOf)
    .find((fault) => fault !== undefined)
}

function faultOf(address: string): string | undefined {
  const parsed = URL.canParse(address) ? new URL(address) : undefined
  if (parsed === undefined || !/^postgres(ql)?:$/.test(parsed.protocol)) return EXPECTED
  // Refused, because the driver would silently drop the text after such a sign, or parse it as
  // another part.
  if (
    parsed.hash !== '' ||
    /[@\p{Cc}]/u.test(parsed.pathname + parsed.search) ||
    /\p{Cc}/u.test(address)
  )
    return EXPECTED
  try {
    const { port } = new pg.Client({ connectionString: address })
    return port > 0 && port < 65_536 ? undefined : EXPECTED
  } catch (error) {
    const code = codeOf(error)
    return /^E[A-Z]+$/.test(code) ? `it names a file that cannot be read (${code})` : EXPECTED
  }
}

/** This machine: by name, by address, or through a socket, whose host is the path of a folder. */
const HERE = /^(localhost|127(\.\d{1,3}){3}|::1|\/.*)$/

/** The options of a TLS connection that weaken it. */
type Tls = boolean | { rejectUnauthorized?: boolean; checkServerIdentity?: unknown }

/**
 * Whether others may read or intercept the connection. Uses the driver's parser, because options
 * have several spellings and may name another host.
 */
export function isExposed(url: string): boolean {
  return addressesOf(url).some(isExposedAt)
}

function isExposedAt(address: string): boolean {
  try {
    const { host, ssl }: { host: string; ssl: Tls } = new pg.Client({ connectionString: address })
    return !HERE.test(host) && !isVerified(ssl)
  } catch {
    // Treated as exposed: the driver throws, for example, if a certificate file cannot be read.
    return true
  }
}

function isVerified(tls: Tls): boolean {
  return typeof tls === 'boolean'
    ? tls
    : tls.rejectUnauthorized !== false && tls.checkServerIdentity === undefined
}
