import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LANGUAGE_HEADER, preferredLanguage, type Language } from '#words/language.ts'
import { inLanguage } from '#server/kernel/in-language.ts'
import { deviceCookie } from '#server/settings/own-address.ts'
import { byQuality } from './by-quality.ts'

/** Answers each request in its reader's language. */
export function answerInReadersLanguage(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => inReadersLanguage(request, done))
  // Reading a body leaves the context of the first hook.
  app.addHook('preValidation', (request, _reply, done) =>
    request.method === 'GET' ? done() : inReadersLanguage(request, done),
  )
}

/**
 * Runs `act` in the language of the request's reader. A request may fail before a hook has done so.
 */
export function inReadersLanguage<Result>(request: FastifyRequest, act: () => Result): Result {
  return inLanguage(languageOf(request), act)
}

/**
 * The language of the page that asks, or else the one chosen on this device, or else the browser's.
 * The cookies of a request that another site sent are not read.
 */
function languageOf({
  cookies,
  headers,
}: Pick<FastifyRequest, 'headers'> & { cookies?: FastifyRequest['cookies'] }): Language {
  const ofPage = headers[LANGUAGE_HEADER]
  return preferredLanguage(
    typeof ofPage === 'string' ? ofPage : cookies && deviceCookie(cookies, 'language'),
    byQuality(headers['accept-language']).accepted,
  )
}
