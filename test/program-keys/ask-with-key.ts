import type { RouteName, Route } from '#contract/routes.ts'
import { routes } from '#contract/routes.ts'
import { checkDescribed } from '../world/described.ts'
import type { FastifyInstance } from 'fastify'
import type { TestUser, World } from '../world/world.ts'

export const READ_KEY = { name: 'Sheet', scope: 'read', days: 90 } as const
export const BOTS_KEY = {
  name: 'Script',
  scope: 'bots',
  days: 30,
  mostBots: 3,
  dailyAmount: '100',
} as const
export const BOT = {
  name: 'By key',
  riskLevel: 'moderate',
  tradingPairs: ['BTC/USDT'],
  investmentAmount: '20',
}

export const makeKey = async (user: TestUser, body: object = READ_KEY): Promise<string> =>
  (await user.call('makeKey', { body })).secret

type Sent = {
  id?: string
  body?: unknown
  headers?: Record<string, string>
  from?: string
  app?: FastifyInstance
}

/** Calls as a program: with the key alone, without cookie and origin unless given. */
export async function askWithKey(
  world: World,
  secret: string,
  name: RouteName,
  {
    id = '01890000-0000-7000-8000-000000000000',
    body,
    headers = {},
    from,
    app = world.app,
  }: Sent = {},
) {
  const { method, path }: Route = routes[name]
  const { PUBLIC_URL: site } = world.context.config
  const answer = await app.inject({
    method,
    url: path.replace(':id', id),
    headers: {
      authorization: `Bearer ${secret}`,
      ...(site !== undefined && { host: new URL(site).host }),
      ...headers,
    },
    ...(from !== undefined && { remoteAddress: from }),
    ...(body !== undefined && { payload: body as object }),
  })
  checkDescribed(name, answer)
  return {
    status: answer.statusCode,
    headers: answer.headers,
    body: answer.json<
      { code?: string; field?: string; message?: string } & Record<string, unknown>
    >(),
  }
}

/** Status and code of the answer. */
export async function outcomeOf(...asked: Parameters<typeof askWithKey>): Promise<unknown[]> {
  const { status, body } = await askWithKey(...asked)
  return body.code === undefined ? [status] : [status, body.code]
}
