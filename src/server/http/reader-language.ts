import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LANGUAGE_HEADER, preferredLanguage, type Language } from '#words/language.ts'
import { inLanguage } from '#server/kernel/in-language.ts'
import { deviceCookie } from '#server/settings/own-address.ts'
import { byQuality } from './by-quality.ts'

export function answerInReadersLanguage(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => inReadersLanguage(request, done))
  // Set again after the body is read, because reading loses the context of the first hook.
  app.addHook('preValidation', (request, _reply, done) =>
    request.method === 'GET' ? done() : inReadersLanguage(request, done),
  )
}

/** Runs `act` in the reader's language, for requests that fail before a hook has run. */
export function inReadersLanguage<Result>(request: FastifyRequest, act: () => Result): Result {
  return inLanguage(languageOf(request), act)
}

/**
 * The language of the requesting page, or the one chosen on this device, or the browser's. Cookies
 * are ignored on requests from other sites.
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
