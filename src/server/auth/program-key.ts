import { createHmac, randomBytes } from 'node:crypto'
import { BlockList, isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { KeyRights } from '#core/auth/program-key.ts'
import { Refusal } from '#core/refusal.ts'
import type { Config } from '#server/settings/config.ts'

/** Start of every key, by which scanners of published code recognize one. */
const PREFIX = 'tbk_'

/** Two ids of 16 bytes, and the secret. */
const [ID_BYTES, SECRET_BYTES] = [16, 32]
const TOKEN = /^[\w-]{86}$/

/** A program's credential: the ids locate the key's row, only the secret proves the key. */
export type KeyToken = { userId: string; id: string; secret: string }

export function newKeyToken({ userId, id }: { userId: string; id: string }): KeyToken {
  return { userId, id, secret: randomBytes(SECRET_BYTES).toString('base64url') }
}

export function keyTokenText({ userId, id, secret }: KeyToken): string {
  const bytes = [userId, id].map((uuid) => Buffer.from(uuid.replaceAll('-', ''), 'hex'))
  return PREFIX + Buffer.concat([...bytes, Buffer.from(secret, 'base64url')]).toString('base64url')
}

/** Undefined if the text is malformed. */
export function readKeyToken(text: string): KeyToken | undefined {
  const coded = text.slice(PREFIX.length)
  if (!TOKEN.test(coded)) return undefined
  const bytes = Buffer.from(coded, 'base64url')
  return {
    userId: uuidOf(bytes.subarray(0, ID_BYTES)),
    id: uuidOf(bytes.subarray(ID_BYTES, 2 * ID_BYTES)),
    secret: bytes.subarray(2 * ID_BYTES).toString('base64url'),
  }
}

const uuidOf = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')

/**
 * The key in a request's Authorization header, valid or not. A request with a key never uses a
 * cookie. Headers of other forms are left for proxies.
 */
export function keyTextOf({ headers: { authorization = '' } }: FastifyRequest): string | undefined {
  const [, text = ''] = /^bearer +(\S*)$/i.exec(authorization) ?? []
  return text.startsWith(PREFIX) ? text : undefined
}

const admitted = new WeakMap<FastifyRequest, KeyRights>()

export const admitKey = (request: FastifyRequest, key: KeyRights): void =>
  void admitted.set(request, key)

/** The valid key of a request to a call that its scope allows. */
export const admittedKey = (request: FastifyRequest): KeyRights | undefined => admitted.get(request)

/**
 * Threat: somebody who can write to the database inserts a key, or widens one. The hash is keyed
 * with a secret outside the database, and covers all that the program key may do.
 */
export function keyHashOf(
  { userId, id, scope, networks, limits, expiresAt }: KeyRights,
  secret: string,
  { SESSION_SECRET }: Pick<Config, 'SESSION_SECRET'>,
): Buffer {
  const most = limits && [limits.mostBots, String(limits.dailyAmount)]
  const rights = [userId, id, scope, networks, most ?? null, expiresAt.toISOString()]
  return createHmac('sha256', SESSION_SECRET)
    .update(JSON.stringify(['program-key', secret, rights]))
    .digest()
}

/** Refuses a text that is neither an address nor a network. */
export function checkNetworks(networks: readonly string[]): void {
  for (const network of networks)
    if (!networkOf(network)) throw new Refusal('key-network-invalid', { field: 'networks' })
}

type Network = { address: string; family: 'ipv4' | 'ipv6'; bits: number }

function networkOf(text: string): Network | undefined {
  const [, address = '', prefix] = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const version = isIP(address)
  const longest = version === 6 ? 128 : 32
  const bits = prefix === undefined ? longest : Number(prefix)
  if (version === 0 || bits > longest) return undefined
  return { address, family: version === 6 ? 'ipv6' : 'ipv4', bits }
}

export function isWithin(networks: readonly string[], address: string): boolean {
  if (networks.length === 0) return true
  const list = new BlockList()
  for (const { address: from, bits, family } of networks.flatMap((text) => networkOf(text) ?? []))
    list.addSubnet(from, bits, family)
  return list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}
