import { codeOf } from '#server/code-of.ts'
import type { NatsAddress } from '#server/nats-address.ts'

/** The server accepts us and hands nothing on: we did not hear ourselves. */
export class NotHandedOn extends Error {
  override readonly name = 'NotHandedOn'
}

/** A refusal needs another configuration; anything else may pass by itself. */
export type Complaint = { sentence: string; isRefusal: boolean }

/** Names the server, never the password. */
export function complaintOf(error: unknown, { address, subject }: { address: NatsAddress; subject: string }): Complaint {
  const [reason, isRefusal] = reasonOf(error, subject)
  const sentence = `The NATS server at ${address.servers.join(' or ')} ${reason}`
  return { sentence, isRefusal }
}

const PASSING: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refuses the connection: is it running, and is EVENTS_URL right?',
  EAI_AGAIN: 'has a host name that cannot be looked up: is EVENTS_URL right?',
  ECONNRESET: 'ended the connection.',
}

function reasonOf(error: unknown, subject: string): [reason: string, isRefusal: boolean] {
  const { name, message, cause } = error instanceof Error ? error : new Error(String(error))
  const code = codeOf(error) || codeOf(cause)
  if (code in PASSING) return [PASSING[code] ?? '', false]
  if (name === 'TimeoutError') return ['does not answer: is EVENTS_URL right, and does a firewall block it?', false]
  if (code === 'ENOTFOUND') return ['has an unknown host name: is EVENTS_URL right?', true]
  if (name === 'AuthorizationError') return ['does not accept the user name and password, or the token, in EVENTS_URL.', true]
  if (name === 'NotHandedOn' || name === 'PermissionViolationError') return [`does not let this user publish and subscribe to ${subject}.`, true]
  if (/'tls'/.test(message)) return ['has no TLS, which EVENTS_URL asks for with tls://.', true]
  if (/CERT|SIGNED|SIGNATURE|ALTNAME/.test(code)) return [`shows a certificate that cannot be verified (${code}).`, true]
  if (/unexpected response/.test(message)) return ['is no NATS server: is EVENTS_URL right?', true]
  return [`cannot be used (${code || name}).`, false]
}
