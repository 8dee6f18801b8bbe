import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { inGerman } from '#words/german.ts'
import { LANGUAGE_HEADER, preferredLanguage, setLanguageSource, type Language } from '#words/language.ts'
import { addTranslator } from '#words/words.ts'

const readers = new AsyncLocalStorage<Language>()

/** Answers each request in its reader's language. Whatever is begun outside a request, such as the log of a job, is in English. */
export function answerInReadersLanguage(app: FastifyInstance): void {
  addTranslator('de', inGerman)
  setLanguageSource(() => readers.getStore() ?? 'en')
  app.addHook('onRequest', (request, _reply, done) => inReadersLanguage(request, done))
  // Reading a body leaves the context of the first hook.
  app.addHook('preValidation', (request, _reply, done) => inReadersLanguage(request, done))
}

/** Runs `act` in the language of the request's reader. A request may fail before a hook has done so. */
export function inReadersLanguage<Result>(request: FastifyRequest, act: () => Result): Result {
  return readers.run(languageOf(request), act)
}

/** The language of the page that asks, or else the one chosen on this device, or else the browser's. The cookies of a request that another site sent are not read. */
function languageOf({ cookies, headers }: Pick<FastifyRequest, 'headers'> & { cookies?: FastifyRequest['cookies'] }): Language {
  const ofPage = headers[LANGUAGE_HEADER]
  return preferredLanguage(typeof ofPage === 'string' ? ofPage : cookies?.['language'], headers['accept-language'])
}
