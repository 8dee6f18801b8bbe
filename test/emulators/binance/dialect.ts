import type { Dialect } from '../exchange-dialect.ts'
import { checkSignature, checkTime } from './access.ts'
import { orRefused, refusal } from './answer.ts'
import { binanceAccount } from './calls.ts'
import { binanceMarket } from './market.ts'
import { binanceRules } from './rules.ts'
import { binanceStream } from './stream.ts'

const PUBLIC = ['GET ping', 'GET time', 'GET exchangeInfo', 'GET klines', 'GET ticker/24hr']
const SIGNED = [
  'POST order',
  'POST order/test',
  'DELETE order',
  'GET order',
  'GET openOrders',
  'GET allOrders',
  'GET myTrades',
  'GET account',
  'GET account/commission',
  'GET bnbBurn',
  'POST bnbBurn',
  'GET account/apiRestrictions',
]

const METHODS = '`SUBSCRIBE`, `UNSUBSCRIBE`, `LIST_SUBSCRIPTIONS`'
const UNAVAILABLE = { status: 503, body: '<html><body>503 Service Unavailable</body></html>' }

/** Binance: the spot market's REST and websocket streams. */
export const BINANCE: Dialect = {
  route: (method, path) => {
    const [, call] = /^\/(?:api\/v3|sapi\/v1)\/([\w/]+)$/.exec(path) ?? []
    const name = `${method} ${call}`
    if (PUBLIC.includes(name)) return { access: 'public', name }
    return SIGNED.includes(name) ? { access: 'private', name } : undefined
  },
  unknownCall: { status: 404, body: '<html><body>404 Not found</body></html>' },
  unknownMessage: ({ method }) => ({
    code: 2,
    msg: `Invalid request: unknown variant ${String(method)}, expected one of ${METHODS}`,
  }),
  tooManyCalls: refusal('-1003'),
  unavailable: UNAVAILABLE,
  market: (asked) => orRefused(() => binanceMarket(asked)),
  stream: binanceStream,
  placing: 'POST order',
  rules: binanceRules,
  admission: ({ state, options }) => {
    return (request) => {
      const answer = orRefused(() => {
        checkSignature(request, options)
        checkTime(request, state.clock.nowMs())
      })
      return typeof answer === 'object' && answer.body === undefined ? undefined : answer
    }
  },
  account: (asked) =>
    orRefused(() => {
      // Checks the time again: the request may have waited since it was admitted.
      checkTime(asked.request, asked.state.clock.nowMs())
      return binanceAccount(asked)
    }),
  atTheDoor: {
    'drop-before': 'drop',
    hang: 'hang',
    'rate-limit': refusal('-1003'),
    maintenance: refusal('-1013'),
    busy: refusal('-1008'),
    unavailable: UNAVAILABLE,
    'internal-error': refusal('-1000'),
  },
  refusal,
}
