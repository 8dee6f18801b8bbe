import { expect } from 'vitest'
import { routes, type RouteName } from '#contract/routes.ts'
import { cookieOf, proofRequest, type TestUser, type World } from '../world/world.ts'

export type Said = {
  status: number
  body: unknown
  text: string
  headers: Record<string, unknown>
  cookie: string
}
type Sending = { body?: unknown; headers?: Record<string, string>; payload?: string }

type Addressed = Sending & { user?: TestUser | undefined }

/**
 * Sends a call as the specification names it, 'POST /api/auth/login', with the cookie of `user` if
 * there is one. Proves the user's identity with the password if the server demands it.
 */
export async function send(world: World, call: string, sending: Addressed = {}): Promise<Said> {
  const said = await sendOnce(world, call, sending)
  if ((said.body as { code?: string } | undefined)?.code !== 'proof-required') return said
  const names = Object.keys(routes) as RouteName[]
  const action =
    names.find((name) => `${routes[name].method} ${routes[name].path}` === call) ?? call
  const made = await sendOnce(world, 'POST /api/auth/proofs', {
    user: sending.user,
    body: proofRequest({ action, body: sending.body }),
  })
  return sendOnce(world, call, {
    ...sending,
    headers: { ...sending.headers, proof: (made.body as { id: string }).id },
  })
}

async function sendOnce(
  world: World,
  call: string,
  { user, body, headers = {}, payload }: Addressed,
): Promise<Said> {
  const [method = '', url = ''] = call.split(' ')
  const answer = await world.app.inject({
    method: method as 'GET',
    url,
    headers: { 'sec-fetch-site': 'same-origin', ...(user && { cookie: user.cookie }), ...headers },
    ...(body !== undefined && { payload: body as object }),
    ...(payload !== undefined && { payload }),
  })
  const isJson = String(answer.headers['content-type']).includes('json')
  return {
    status: answer.statusCode,
    body: isJson ? answer.json() : undefined,
    text: answer.body,
    headers: answer.headers,
    cookie: cookieOf(answer.headers['set-cookie']),
  }
}

/** Checks that an answer has this status and at least these fields. */
export function says({ status, body }: Said, expected: number, fields: unknown = {}): void {
  expect({ status, body }).toMatchObject({ status: expected, body: fields })
}

export const anything: unknown = expect.anything()
export const like = (pattern: RegExp): unknown => expect.stringMatching(pattern)
export const USD = like(/^-?\d+\.\d{2}$/)
export const DECIMAL = like(/^-?\d+(\.\d{1,8})?$/)
export const MOMENT = like(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
export const UUID = like(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/)
