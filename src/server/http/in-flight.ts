import type { ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { CallRow } from '#contract/call-row.ts'
import { Refusal } from '#core/refusal.ts'
import { answerError } from './problems.ts'
import { inReadersLanguage } from './reader-language.ts'
import { callOf } from './refusal-log.ts'

/**
 * A request that is not answered by then, for example because the database hangs, gets the answer
 * that it takes longer than usual.
 */
const ANSWER_WITHIN_MS = 10_000

/** Grace period during shutdown. */
const STOP_WITHIN_MS = 5_000
const POLL_MS = 10

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Undefined on most routes outside of the contract. */
    call?: Pick<CallRow, 'access' | 'reads' | 'writes' | 'keys'>
  }
}

export function trackInFlight(
  app: FastifyInstance,
  answerWithinMs = ANSWER_WITHIN_MS,
): { drained: () => Promise<void> } {
  const open = new Set<ServerResponse>()
  app.addHook('onRoute', (route) => {
    const { handler } = route
    route.handler = answeringOnce((request, reply) => handler.call(app, request, reply))
  })
  let isEnding = false
  app.addHook('preClose', (done) => {
    isEnding = true
    done()
  })
  app.addHook('onRequest', (request, reply, done) => {
    if (isEnding) throw new Refusal('temporarily-unavailable')
    const late = setTimeout(() => answerLate(request, reply), answerWithinMs)
    open.add(reply.raw)
    reply.raw.once('close', () => {
      clearTimeout(late)
      open.delete(reply.raw)
    })
    done()
  })
  return {
    drained: async () => {
      for (let waitedMs = 0; open.size > 0 && waitedMs < STOP_WITHIN_MS; waitedMs += POLL_MS)
        await delay(POLL_MS)
    },
  }
}

/** Sends the late answer. Not if an event stream or a statement has started. */
function answerLate(request: FastifyRequest, reply: FastifyReply): void {
  if (reply.sent || reply.raw.headersSent) return
  const { call } = request.routeOptions.config
  const isReading = request.method === 'GET' || request.method === 'HEAD' || call?.reads === true
  const refusal = new Refusal(isReading ? 'takes-long' : 'still-under-way')
  // The connection is closed afterwards, because the request's body may still be arriving.
  inReadersLanguage(request, () =>
    answerError(refusal, request, reply.header('connection', 'close')),
  )
  // Ignores later answers of the handler, which still runs.
  reply.send = () => reply
}

/** Failures after a late answer are only logged, and refusals ignored. */
export function answeringOnce<
  Handler extends (request: FastifyRequest, reply: FastifyReply) => unknown,
>(handler: Handler) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    try {
      return await handler(request, reply)
    } catch (error) {
      if (!reply.sent) throw error
      if (!(error instanceof Refusal))
        request.log.warn(
          { err: error, ...callOf(request) },
          'a request failed after its late answer',
        )
      return reply
    }
  }
}
