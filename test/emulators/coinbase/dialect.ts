import type { Dialect } from '../exchange-dialect.ts'
import { accessCheck } from './access.ts'
import { orRefused, refusal, UNAUTHORIZED } from './answer.ts'
import { coinbaseAccount } from './calls.ts'
import { coinbaseMarket } from './market.ts'
import { COINBASE_RULES } from './rules.ts'
import { coinbaseStream } from './stream.ts'

/** An address, its name, and whether it is public. An order's or a product's id is left out. */
const ROUTES: readonly [address: RegExp, name: string, isPublic?: true][] = [
  [/^GET \/v2\/time$/, 'GET v2/time', true],
  [/^GET \/api\/v3\/brokerage\/time$/, 'GET time', true],
  [/^GET \/api\/v3\/brokerage\/market\/products$/, 'GET market/products', true],
  [/^GET \/api\/v3\/brokerage\/market\/products\/[^/]+$/, 'GET market/product', true],
  [
    /^GET \/api\/v3\/brokerage\/market\/products\/[^/]+\/candles$/,
    'GET market/products/candles',
    true,
  ],
  [
    /^GET \/api\/v3\/brokerage\/market\/products\/[^/]+\/ticker$/,
    'GET market/products/ticker',
    true,
  ],
  [/^GET \/v2\/accounts$/, 'GET v2/accounts'],
  [/^GET \/api\/v3\/brokerage\/accounts$/, 'GET accounts'],
  [/^GET \/api\/v3\/brokerage\/products$/, 'GET products'],
  [/^GET \/api\/v3\/brokerage\/transaction_summary$/, 'GET transaction_summary'],
  [/^GET \/api\/v3\/brokerage\/key_permissions$/, 'GET key_permissions'],
  [/^POST \/api\/v3\/brokerage\/orders$/, 'POST orders'],
  [/^POST \/api\/v3\/brokerage\/orders\/preview$/, 'POST orders/preview'],
  [/^POST \/api\/v3\/brokerage\/orders\/batch_cancel$/, 'POST orders/batch_cancel'],
  [/^GET \/api\/v3\/brokerage\/orders\/historical\/batch$/, 'GET orders/historical/batch'],
  [/^GET \/api\/v3\/brokerage\/orders\/historical\/fills$/, 'GET orders/historical/fills'],
  [/^GET \/api\/v3\/brokerage\/orders\/historical\/[^/]+$/, 'GET orders/historical'],
]

/** Coinbase: Advanced Trade's REST and websocket. */
export const COINBASE: Dialect = {
  route: (method, path) => {
    const [, name, isPublic] = ROUTES.find(([address]) => address.test(`${method} ${path}`)) ?? []
    return name === undefined ? undefined : { access: isPublic ? 'public' : 'private', name }
  },
  unknownCall: refusal('NOT_FOUND'),
  unknownMessage: () => ({ type: 'error', message: 'failure to subscribe' }),
  tooManyCalls: refusal('RESOURCE_EXHAUSTED'),
  unavailable: refusal('UNAVAILABLE'),
  market: (asked) => orRefused(() => coinbaseMarket(asked)),
  stream: coinbaseStream,
  placing: 'POST orders',
  rules: COINBASE_RULES,
  admission: ({ state, options }) => {
    const isAdmitted = accessCheck(options)
    return (request) => (isAdmitted(request, state.clock.nowMs()) ? undefined : UNAUTHORIZED)
  },
  account: (asked) => orRefused(() => coinbaseAccount(asked)),
  atTheDoor: {
    'drop-before': 'drop',
    hang: 'hang',
    'rate-limit': refusal('RESOURCE_EXHAUSTED'),
    maintenance: refusal('ORDER_ENTRY_DISABLED'),
    busy: refusal('UNAVAILABLE'),
    unavailable: refusal('UNAVAILABLE'),
    'internal-error': refusal('INTERNAL'),
  },
  refusal,
}
