import { AsyncLocalStorage } from 'node:async_hooks'
import { inGerman } from '#words/german.ts'
import { setLanguageSource, type Language } from '#words/language.ts'
import { addTranslator } from '#words/words.ts'

const readers = new AsyncLocalStorage<Language>()

addTranslator('de', inGerman)
setLanguageSource(() => readers.getStore() ?? 'en')

/**
 * Runs `act` in its reader's language. Code outside of such a call, such as a job, is in English.
 */
export function inLanguage<Result>(language: Language, act: () => Result): Result {
  return readers.run(language, act)
}
