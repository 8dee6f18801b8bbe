import { setupI18n, type I18n } from '@lingui/core'
import { language, type Language } from './language.ts'

/** A translation: one text, or one for each category of plural that the language has. */
type Translation = string | Partial<Record<Intl.LDMLPluralRule, string>>

/** Translations by their English message. */
export type Catalog = Record<string, Translation>

/** The names in braces of a message: '{count} of {total}' has count and total. */
type Placeholder<Message extends string> = Message extends `${string}{${infer Name}}${infer Rest}` ? Name | Placeholder<Rest> : never
type Values<Message extends string> = [Placeholder<Message>] extends [never] ? [] : [values: Record<Placeholder<Message>, string | number>]

const speakers = new Map<Language, I18n>()
addCatalog('en', {})

/** Adds the words of a language. English needs none: its messages are the sources' own. */
export function addCatalog(name: Language, catalog: Catalog): void {
  const messages = Object.fromEntries(Object.entries(catalog).map(([message, translation]) => [message, compiled(translation)]))
  const speaker = setupI18n({ locale: name, messages: { [name]: messages } })
  speaker.setMessagesCompiler(compiledText)
  speakers.set(name, speaker)
}

/** `message` in the reader's language, with `values` in place of the names in braces. A message without a translation stays in English. */
export function t<const Message extends string>(message: Message, ...[values]: Values<Message>): string {
  return say(message, values)
}

/** As `t`, for a message from a table: its names are not known to the compiler. */
export function say(message: string, values?: Record<string, string | number>): string {
  return (speakers.get(language()) ?? speakers.get('en'))?._(message, values) ?? message
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

type CompiledMessage = ReturnType<Parameters<I18n['setMessagesCompiler']>[0]>

function compiled(translation: Translation): CompiledMessage {
  if (typeof translation === 'string') return compiledText(translation)
  return [['count', 'plural', Object.fromEntries(Object.entries(translation).map(([category, text]) => [category, compiledText(text)]))]]
}

/** Messages need no other syntax than names in braces, which saves the browser a parser of 6 kB. */
function compiledText(text: string): CompiledMessage {
  return text.split(/\{(\w+)\}/).map((part, index) => (index % 2 === 0 ? part : [part]))
}
