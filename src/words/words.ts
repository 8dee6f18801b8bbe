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

/**
 * Adds a language. English needs no translator, because the messages in the sources are English.
 */
export function addTranslator(name: Language, translate: Translator): void {
  translators.set(name, translate)
}

/**
 * `message` in the reader's language, with `values` for the names in braces; English without a
 * translation. A suffix after a bar distinguishes two meanings of one text: 'To|until' and
 * 'To|account' are both 'To' in English.
 */
export function t<const Message extends string>(
  message: Message,
  ...[values]: Values<Message>
): string {
  return say(message, values)
}

/** Like `t`, for a message from a table: the compiler cannot check its placeholders. */
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

/** Marks a message that is stored in a table and translated later by `say`. */
export function msg<const Message extends string>(message: Message): Message {
  return message
}

/**
 * A message about a number, such as '{count} trade' and '{count} trades'. The catalog lists it
 * under `other`, with a text for each plural category.
 */
export function tCount(
  count: number,
  { one, other }: { one: string; other: string },
  values?: Record<string, string | number>,
): string {
  const message = language() === 'en' && count === 1 ? one : other
  // The plural depends on the number, however `values` spell it.
  return say(message, { count, ...values, plural: count })
}
