import { IntlMessageFormat } from 'intl-messageformat'
import catalog from './de.json' with { type: 'json' }
import type { Language } from './language.ts'
import type { Translator } from './words.ts'

/**
 * The German translator. It shares a file with the library that it needs, because readers of
 * English should load neither.
 */
export const inGerman = translatorOf('de', catalog)

type Translation = string | Partial<Record<Intl.LDMLPluralRule, string>>

type Catalog = Readonly<Record<string, Translation>>

export function translatorOf(name: Language, catalog: Catalog): Translator {
  const formatters = new Map<string, IntlMessageFormat>()
  return (message, values) => {
    const translation = Object.hasOwn(catalog, message) ? catalog[message] : undefined
    if (translation === undefined) return undefined
    const formatter = formatters.get(message) ?? new IntlMessageFormat(parsed(translation), name)
    formatters.set(message, formatter)
    return String(formatter.format(values))
  }
}

type Parsed = Exclude<ConstructorParameters<typeof IntlMessageFormat>[0], string>

/** The library's numbers for kinds of parts: text, a value, and a choice by number. */
const [TEXT, VALUE, PLURAL] = [0, 1, 6] as const

/**
 * Messages have no other syntax than names in braces. Parsing them here saves the browser the
 * library's parser of 6 kB.
 */
function parsed(translation: Translation): Parsed {
  if (typeof translation === 'string') return parsedText(translation)
  const options = Object.fromEntries(
    Object.entries(translation).map(([category, text]) => [category, { value: parsedText(text) }]),
  )
  return [{ type: PLURAL, value: 'plural', options, offset: 0, pluralType: 'cardinal' }]
}

function parsedText(text: string): Parsed {
  return text
    .split(/\{(\w+)\}/)
    .map((value, index) => ({ type: index % 2 === 0 ? TEXT : VALUE, value }))
}
