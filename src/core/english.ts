/**
 * Marks a sentence that core says in English. The catalogs list it; `words/in-words.ts` says it in
 * the reader's language.
 */
export function english<const Message extends string>(message: Message): Message {
  return message
}
