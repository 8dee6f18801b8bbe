import { createHmac, timingSafeEqual } from 'node:crypto'
import type { AccountOptions } from '../exchange-dialect.ts'
import type { RestRequest } from '../exchange-side.ts'
import { mandatory, Refused } from './answer.ts'

/** Parameters may be in the query, the body or both; the query takes precedence. */
export function formOf({ query, body }: RestRequest): URLSearchParams {
  return new URLSearchParams([...query, ...new URLSearchParams(body)])
}

/** HMAC-SHA256, in hexadecimal of any case, of the query followed by the body. */
export function checkSignature(
  request: RestRequest,
  { key, secret }: Pick<AccountOptions, 'key' | 'secret'>,
): void {
  const given = request.headers['x-mbx-apikey']
  if (given === undefined || given === '') throw new Refused(-2014)
  if (given !== key) throw new Refused(-2015)
  const signature = mandatory(formOf(request), 'signature')
  const payload = (request.search.replace(/^\?/, '') + request.body).replace(
    /&?signature=[^&]*/,
    '',
  )
  const expected = createHmac('sha256', secret).update(payload).digest()
  const sent = Buffer.from(signature, 'hex')
  if (sent.length !== expected.length || !timingSafeEqual(sent, expected)) throw new Refused(-1022)
}

const WINDOW_MS = 5_000
const LONGEST_WINDOW_MS = 60_000
const AHEAD_MS = 1_000

/** A request may be less than a second ahead of the exchange, and as old as its window. */
export function checkTime(request: RestRequest, nowMs: number): void {
  const form = formOf(request)
  const timestamp = mandatory(form, 'timestamp')
  const windowMs = Number(form.get('recvWindow') ?? WINDOW_MS)
  if (!(windowMs > 0 && windowMs <= LONGEST_WINDOW_MS))
    throw new Refused(-1130, "Data sent for parameter 'recvWindow' is not valid.")
  // Sixteen digits are microseconds.
  const sentMs = Number(timestamp) / (timestamp.length === 16 ? 1_000 : 1)
  if (!(sentMs < nowMs + AHEAD_MS))
    throw new Refused(-1021, "Timestamp for this request was 1000ms ahead of the server's time.")
  if (nowMs - sentMs > windowMs) throw new Refused(-1021)
}
