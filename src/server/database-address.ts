import pg from 'pg'

/** `postgres://user:password@`, hosts with ports, and the rest. */
const PARTS = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/

/** One address for each host that `url` names, as in `postgres://user:password@one:5432,two:5432/name`. */
export function addressesOf(url: string): [string, ...string[]] {
  const [, start = '', hosts = '', rest = ''] = PARTS.exec(url) ?? []
  const [first, ...others] = hosts.split(',').map((host) => `${start}${host}${rest}`)
  return others.length === 0 || first === undefined ? [url] : [first, ...others]
}

/** This machine: by name, by address, or through a socket, whose host is the path of a folder. */
const HERE = /^(localhost|127(\.\d{1,3}){3}|::1|\/.*)$/

/** The options of a TLS connection that weaken it. */
type Tls = boolean | { rejectUnauthorized?: boolean; checkServerIdentity?: unknown }

/**
 * Whether this database is reached over a network that others may read, or without knowing who answers. The driver itself reads the address, because
 * its options have several spellings, and may name another host than the address seems to.
 */
export function isExposed(url: string): boolean {
  return addressesOf(url).some(isExposedAt)
}

function isExposedAt(address: string): boolean {
  try {
    const { host, ssl } = new pg.Client({ connectionString: address }) as unknown as { host: string; ssl: Tls }
    return !HERE.test(host) && !isVerified(ssl)
  } catch {
    // Such as a file of certificates that cannot be read.
    return true
  }
}

function isVerified(tls: Tls): boolean {
  return typeof tls === 'boolean' ? tls : tls.rejectUnauthorized !== false && tls.checkServerIdentity === undefined
}
