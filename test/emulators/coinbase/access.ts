import { createPublicKey, verify } from 'node:crypto'
import type { AccountOptions } from '../exchange-dialect.ts'
import type { RestRequest } from '../exchange-side.ts'

/** A token is good for two minutes. */
const LONGEST_SECONDS = 120
const ISSUERS = ['cdp', 'coinbase-cloud']

/**
 * Whether the request carries a token of this key: ES256, for this method and address, not before
 * its time and not after it. `secret` is the private key, as its owner gets it.
 */
export function accessCheck({ key, secret }: Pick<AccountOptions, 'key' | 'secret'>) {
  const publicKey = createPublicKey(secret)
  return (request: RestRequest, nowMs: number): boolean => {
    const [, token = ''] = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '') ?? []
    const [header = '', payload = '', signature = ''] = token.split('.')
    const { alg, kid } = decode(header)
    const claims = decode(payload)
    const isSigned = verify(
      'sha256',
      Buffer.from(`${header}.${payload}`),
      { key: publicKey, dsaEncoding: 'ieee-p1363' },
      Buffer.from(signature, 'base64url'),
    )
    const isOurs = alg === 'ES256' && kid === key && claims['sub'] === key
    return (
      isSigned &&
      isOurs &&
      ISSUERS.includes(String(claims['iss'])) &&
      uriOf(claims['uri']) === addressOf(request) &&
      isTimely(claims, nowMs)
    )
  }
}

function isTimely({ nbf, exp }: Record<string, unknown>, nowMs: number): boolean {
  const [from, until] = [Number(nbf) * 1_000, Number(exp) * 1_000]
  return from <= nowMs && nowMs <= until && until - from <= LONGEST_SECONDS * 1_000
}

/** The client prefixes the host with its scheme if there is no TLS. */
const uriOf = (uri: unknown): string => String(uri).replace(/(?<= )http:\/\//, '')

/** 'GET api.coinbase.com/api/v3/brokerage/accounts', without the query. */
const addressOf = ({ method, headers, path }: RestRequest): string =>
  `${method} ${headers.host ?? ''}${path}`

function decode(part: string): Record<string, unknown> {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>
  } catch {
    return {}
  }
}
