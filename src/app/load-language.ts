import { setLanguageSource, type Language } from '#words/language.ts'
import { addTranslator } from '#words/words.ts'

/**
 * Loads the words of the page's language, which only a reload changes. English is part of the code,
 * so a page whose words cannot be loaded is in English.
 */
export async function loadLanguage(language: Language): Promise<void> {
  try {
    if (language === 'de') addTranslator(language, (await import('#words/german.ts')).inGerman)
    setLanguageSource(() => language)
    document.documentElement.lang = language
  } catch (error) {
    document.documentElement.lang = 'en'
    console.warn(`The words of "${language}" could not be loaded.`, error)
  }
}
