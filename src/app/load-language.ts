import { setLanguageSource, type Language } from '#words/language.ts'
import { addCatalog } from '#words/words.ts'

/** Loads the words of the page's language, which stays the same until the page is loaded again. English comes with the code. */
export async function loadLanguage(language: Language): Promise<void> {
  document.documentElement.lang = language
  setLanguageSource(() => language)
  if (language === 'de') addCatalog(language, (await import('#words/de.json')).default)
}
