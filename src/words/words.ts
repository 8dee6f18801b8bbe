import { required } from '#core/assert.ts'
import { language, type Language } from './language.ts'

/** The names in braces of a message: '{count} of {total}' has count and total. */
type Placeholder<Message extends string> = Message extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholder<Rest>
  : never
type Values<Message extends string> = [Placeholder<Message>] extends [never]
  ? []
  : [values: Record<Placeholder<Message>, string | number>]

/**
 * Formats a message in one language, with values for the names in braces; undefined without a
 * translation.
 */
export type Translator = (
  message: string,
  values?: Record<string, string | number>,
) => string | undefined

const translators = new Map<Language, Translator>()

/** Adds a language. English needs no translator: its messages are the sources' own. */
export function addTranslator(name: Language, translate: Translator): void {
  translators.set(name, translate)
}

/**
 * `message` in the reader's language, with `values` for the names in braces; English without a
 * translation. A name behind a bar tells two meanings of one text apart for translators: 'To|until'
 * and 'To|account' are both 'To'.
 */
export function t<const Message extends string>(
  message: Message,
  ...[values]: Values<Message>
): string {
  return say(message, values)
}

/** Like `t`, for a message from a table, whose names the compiler does not know. */
export function say(message: string, values?: Record<string, string | number>): string {
  return translators.get(language())?.(message, values) ?? inEnglish(message, values)
}

function inEnglish(message: string, values?: Record<string, string | number>): string {
  return englishText(message).replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    String(required(values?.[name], `The value "${name}" was not provided for "${message}".`)),
  )
}

export function englishText(message: string): string {
  return message.replace(/\|\w+$/, '')
}

/**
 * A text that may be a message of the catalog, in the reader's language; any other text is
 * unchanged.
 */
export function sayIfKnown(text: string): string {
  return text.includes('{') ? text : (translators.get(language())?.(text) ?? text)
}

/** Marks a message that a table keeps, to be said with `say`. */
export function msg<const Message extends string>(message: Message): Message {
  return message
}

/**
 * A message about a number, such as '{count} trade' and '{count} trades'. Translations are listed
 * under `other`, with a text for each category of plural.
 */
export function tCount(
  count: number,
  { one, other }: { one: string; other: string },
  values?: Record<string, string | number>,
): string {
  const message = language() === 'en' && count === 1 ? one : other
  // The number decides the plural, however `values` spell it.
  return say(message, { count, ...values, plural: count })
}
