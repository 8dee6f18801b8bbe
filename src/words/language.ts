/** The languages of the product. English is the language of the sources and the default. */
export const LANGUAGES = ['en', 'de'] as const
export type Language = (typeof LANGUAGES)[number]

export const LANGUAGE_NAMES: Record<Language, string> = { en: 'English', de: 'Deutsch' }

/** The request header with the language of the page. */
export const LANGUAGE_HEADER = 'x-language'

let source: () => Language = () => 'en'

/** The reader's language: on the server that of the request, in the browser that of the page. */
export function language(): Language {
  return source()
}

/**
 * Determines how `language` finds the reader's language. Called once, when a process or page
 * starts.
 */
export function setLanguageSource(find: () => Language): void {
  source = find
}

/**
 * The chosen language, or else the first language of `accepted` (tags such as 'de-AT') that the
 * product has. '*' is English.
 */
export function preferredLanguage(
  chosen: string | undefined,
  accepted: readonly string[],
): Language {
  const wanted = [chosen ?? '', ...accepted].map((tag) =>
    tag === '*' ? 'en' : tag.toLowerCase().split('-', 1)[0],
  )
  return wanted.map(known).find((found) => found !== undefined) ?? 'en'
}

function known(tag: string | undefined): Language | undefined {
  return LANGUAGES.find((one) => one === tag)
}
