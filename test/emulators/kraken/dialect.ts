import type { Dialect } from '../exchange-dialect.ts'
import { accessCheck } from './access.ts'
import { checkArrival } from './add-order.ts'
import { printKraken } from './answer.ts'
import { CALLS } from './calls.ts'
import { PRO_LIMITS, rateCheck } from './counters.ts'
import { krakenMarket } from './market.ts'
import { KRAKEN_RULES } from './rules.ts'
import { krakenStream } from './stream.ts'

const refusal = (code: string, status = 200) => printKraken({ status, error: [code] })

/** Kraken: REST and websocket v2. */
export const KRAKEN: Dialect = {
  route: (_method, path) => {
    const found = /^\/0\/(public|private)\/(\w+)$/.exec(path)
    if (found === null) return undefined
    return { access: found[1] === 'public' ? 'public' : 'private', name: found[2] ?? '' }
  },
  unknownCall: refusal('EGeneral:Unknown method'),
  unknownMessage: ({ method, req_id: requestId }) => ({
    error: 'Unsupported event',
    method,
    req_id: requestId,
    success: false,
  }),
  tooManyCalls: refusal('EGeneral:Too many requests'),
  unavailable: refusal('EService:Unavailable', 503),
  market: (asked) => {
    const answer = krakenMarket(asked)
    return answer && printKraken(answer)
  },
  stream: krakenStream,
  placing: 'AddOrder',
  rules: KRAKEN_RULES,
  admission: ({ state, book, options }) => {
    const checkAccess = accessCheck(options)
    const checkRate = rateCheck(state, book, { ...PRO_LIMITS, ...options.limits })
    return (request) => {
      const form = new URLSearchParams(request.body)
      const refused = checkAccess(request) ?? checkRate(request.name, form)
      if (refused !== undefined) return refusal(refused)
      const late = request.name === 'AddOrder' ? checkArrival({ state, form }) : undefined
      return late && printKraken(late)
    }
  },
  account: ({ request, ...asked }) => {
    const answer = CALLS[request.name]?.({ ...asked, form: new URLSearchParams(request.body) })
    return answer && printKraken(answer)
  },
  atTheDoor: {
    'drop-before': 'drop',
    hang: 'hang',
    'rate-limit': refusal('EAPI:Rate limit exceeded'),
    maintenance: refusal('EService:Market in cancel_only mode'),
    busy: refusal('EService:Busy'),
    unavailable: refusal('EService:Unavailable', 503),
    'internal-error': refusal('EGeneral:Internal error'),
  },
  refusal,
}
