/** The languages of the product. English is that of the sources, and of whoever prefers none of them. */
export const LANGUAGES = ['en', 'de'] as const
export type Language = (typeof LANGUAGES)[number]

/** Each language's own name. */
export const LANGUAGE_NAMES: Record<Language, string> = { en: 'English', de: 'Deutsch' }

/** The header in which a page names its language to the server. */
export const LANGUAGE_HEADER = 'x-language'

let source: () => Language = () => 'en'

/** The reader's language: on the server that of the present request, in the browser that of the page. */
export function language(): Language {
  return source()
}

/** Determines how `language` finds the reader's language. Called once, when a process or page starts. */
export function setLanguageSource(find: () => Language): void {
  source = find
}

/** The chosen language, or else the first of `accepted` that the product has. `accepted` is an Accept-Language header, best first. */
export function preferredLanguage(chosen: string | undefined, accepted = ''): Language {
  const wanted = [chosen ?? '', ...accepted.split(',')].map((tag) => tag.trim().slice(0, 2).toLowerCase())
  return wanted.map(known).find((found) => found !== undefined) ?? 'en'
}

function known(tag: string): Language | undefined {
  return LANGUAGES.find((one) => one === tag)
}
