/** Marks an English sentence for the catalogs; it is translated where it is shown. */
export function english<const Message extends string>(message: Message): Message {
  return message
}
