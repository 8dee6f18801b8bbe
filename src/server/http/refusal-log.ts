import type { FastifyRequest } from 'fastify'
import { PROBLEMS } from '#contract/problem.ts'
import type { Refusal } from '#core/refusal.ts'
import { knownUser, traceOf } from '#server/auth/session.ts'
import type { Context } from '#server/context.ts'
import { networkOf } from './caps.ts'

/**
 * `lines`: logged per address and minute. `addresses`: how many have a count of their own; the
 * others share one. Threat: refusals, which cost a caller nothing, fill the disk with log lines.
 */
export const REFUSALS_PER_MINUTE = { lines: 10, addresses: 200 }
const MINUTE_MS = 60_000

/** Key of all addresses that are not counted separately. */
const OTHERS = 'others'

export type RefusalLog = {
  note: (refusal: Refusal, request: FastifyRequest) => void
  close: () => void
}

/**
 * Logs refused calls, at most `REFUSALS_PER_MINUTE`, so that attempts by strangers are visible too.
 * Needs no database and contains no typed text. Refusals that concern an account have sealed rows
 * (`note-refusal.ts`).
 */
export function openRefusalLog({ log, config }: Pick<Context, 'log' | 'config'>): RefusalLog {
  const counts = new Map<string, { count: number; address: string }>()
  let ending: NodeJS.Timeout | undefined

  const endMinute = (): void => {
    for (const { count, address } of counts.values()) {
      if (count > REFUSALS_PER_MINUTE.lines)
        log.warn({ address, leftOut: count - REFUSALS_PER_MINUTE.lines }, 'more calls were refused')
    }
    counts.clear()
    clearTimeout(ending)
    ending = undefined
  }

  return {
    note: (refusal, request) => {
      if (!isLogged(refusal, request)) return
      ending ??= setTimeout(endMinute, MINUTE_MS).unref()
      // Empty if the caller has disconnected: then there is no address.
      const network = networkOf(request.ip || '')
      const key =
        counts.has(network) || counts.size < REFUSALS_PER_MINUTE.addresses ? network : OTHERS
      const found = counts.get(key)
      if (found && (found.count += 1) > REFUSALS_PER_MINUTE.lines) return
      const { address } = traceOf(request, config.SESSION_SECRET)
      if (!found) counts.set(key, { count: 1, address: key === OTHERS ? OTHERS : address })
      log.warn({ code: refusal.code, ...callOf(request), address }, 'call refused')
    },
    close: endMinute,
  }
}

/** The path is the route's pattern, never typed text. */
export function callOf(request: FastifyRequest): {
  method: string
  path: string | undefined
  user: string | undefined
} {
  return { method: request.method, path: request.routeOptions.url, user: knownUser(request) }
}

/**
 * Not failures, which have their own lines, nor a missing proof: such calls are always first sent
 * without one.
 */
function isLogged({ code }: Refusal, { headers }: FastifyRequest): boolean {
  const isQuestion =
    code === 'second-factor-required' ||
    (code === 'proof-required' && headers['proof'] === undefined)
  return PROBLEMS[code].status < 500 && !isQuestion
}
