/**
 * Marks a sentence that core says in English. The catalogs list it, and it is said in the reader's
 * language where it is shown.
 */
export function english<const Message extends string>(message: Message): Message {
  return message
}
