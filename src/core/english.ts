/** Marks an English sentence for the catalogs. Callers must translate it when they show it. */
export function english<const Message extends string>(message: Message): Message {
  return message
}
