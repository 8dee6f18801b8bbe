/** Where a NATS server is, or several of one cluster, and how it knows us. */
export type NatsAddress = { servers: string[]; isTls: boolean; credentials: { user: string; pass: string } | { token: string } | Record<string, never> }

/** `nats://` or `tls://`, a user with a password or a token, hosts with ports. */
const PARTS = /^(nats|tls):\/\/(?:([^@/?#]*)@)?([^@/?#]+)\/?$/

/** Undefined if the text is no such address. */
export function readNatsAddress(url: string): NatsAddress | undefined {
  const [, scheme, credentials, hosts = ''] = PARTS.exec(url) ?? []
  const servers = hosts.split(',')
  if (scheme === undefined || !servers.every((host) => URL.canParse(`http://${host}`))) return undefined
  const read = credentials === undefined ? {} : readCredentials(credentials)
  return read && { servers, isTls: scheme === 'tls', credentials: read }
}

function readCredentials(text: string): NatsAddress['credentials'] | undefined {
  try {
    const [first = '', ...rest] = text.split(':').map(decodeURIComponent)
    if (first === '') return undefined
    return rest.length === 0 ? { token: first } : { user: first, pass: rest.join(':') }
  } catch {
    // A percent sign that escapes nothing.
    return undefined
  }
}

const HERE = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/

/** Whether events cross a network that others may read, or without knowing who answers. */
export function isExposedAddress({ servers, isTls }: NatsAddress): boolean {
  return !isTls && !servers.every((host) => HERE.test(host))
}
