import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { inGerman } from '#words/german.ts'
import { preferredLanguage, setLanguageSource, type Language } from '#words/language.ts'
import { addTranslator } from '#words/words.ts'

const readers = new AsyncLocalStorage<Language>()

/** Answers each request in its reader's language. Whatever runs outside a request, such as the log, is in English. */
export function answerInReadersLanguage(app: FastifyInstance): void {
  addTranslator('de', inGerman)
  setLanguageSource(() => readers.getStore() ?? 'en')
  app.addHook('onRequest', (request, _reply, done) => readers.run(languageOf(request), done))
  // Reading a body leaves the context of the first hook.
  app.addHook('preValidation', (request, _reply, done) => readers.run(languageOf(request), done))
}

/** The language chosen on this device, or else the browser's. */
function languageOf({ cookies, headers }: FastifyRequest): Language {
  return preferredLanguage(cookies['language'], headers['accept-language'])
}
