import pg from 'pg'

/** This machine: by name, by address, or through a socket, whose host is the path of a folder. */
const HERE = /^(localhost|127(\.\d{1,3}){3}|::1|\/.*)$/

/** The options of a TLS connection that weaken it. */
type Tls = boolean | { rejectUnauthorized?: boolean; checkServerIdentity?: unknown }

/**
 * Whether this database is reached over a network that others may read, or without knowing who answers. The driver itself reads the address, because
 * its options have several spellings, and may name another host than the address seems to.
 */
export function isExposed(address: string): boolean {
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
