import { IntlMessageFormat } from 'intl-messageformat'
import { language, type Language } from './language.ts'

/** A translation: one text, or one for each category of plural that the language has. */
type Translation = string | Partial<Record<Intl.LDMLPluralRule, string>>

/** Translations by their English message. */
export type Catalog = Readonly<Record<string, Translation>>

/** The names in braces of a message: '{count} of {total}' has count and total. */
type Placeholder<Message extends string> = Message extends `${string}{${infer Name}}${infer Rest}` ? Name | Placeholder<Rest> : never
type Values<Message extends string> = [Placeholder<Message>] extends [never] ? [] : [values: Record<Placeholder<Message>, string | number>]

const catalogs = new Map<Language, Catalog>()
/** Formatters by language and message. */
const formatters = new Map<string, IntlMessageFormat>()

/** Adds the words of a language. English needs none: its messages are the sources' own. */
export function addCatalog(name: Language, catalog: Catalog): void {
  catalogs.set(name, catalog)
}

/** `message` in the reader's language, with `values` in place of the names in braces. A message without a translation stays in English. */
export function t<const Message extends string>(message: Message, ...[values]: Values<Message>): string {
  return say(message, values)
}

/** As `t`, for a message from a table: its names are not known to the compiler. */
export function say(message: string, values?: Record<string, string | number>): string {
  const name = language()
  const key = `${name} ${message}`
  const formatter = formatters.get(key) ?? new IntlMessageFormat(parsed(catalogs.get(name)?.[message] ?? message), name)
  formatters.set(key, formatter)
  return String(formatter.format(values))
}

/** Marks a message that a table keeps, to be said with `say`. */
export function msg<const Message extends string>(message: Message): Message {
  return message
}

/**
 * A message about a number of things, such as '{count} trade' and '{count} trades'. Translations are listed under `other`, with a text for
 * each category of plural.
 */
export function tCount(count: number, { one, other }: { one: string; other: string }, values?: Record<string, string | number>): string {
  const message = language() === 'en' && count === 1 ? one : other
  return say(message, { count, ...values })
}

type Parsed = Exclude<ConstructorParameters<typeof IntlMessageFormat>[0], string>

/** The library's kinds of parts: text, a value, and a choice by number. */
const [TEXT, VALUE, PLURAL] = [0, 1, 6] as const

/** Messages need no other syntax than names in braces: the browser does without the library's parser of 6 kB. */
function parsed(translation: Translation): Parsed {
  if (typeof translation === 'string') return parsedText(translation)
  const options = Object.fromEntries(Object.entries(translation).map(([category, text]) => [category, { value: parsedText(text) }]))
  return [{ type: PLURAL, value: 'count', options, offset: 0, pluralType: 'cardinal' }]
}

function parsedText(text: string): Parsed {
  return text.split(/\{(\w+)\}/).map((value, index) => ({ type: index % 2 === 0 ? TEXT : VALUE, value }))
}
