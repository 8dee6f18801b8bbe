import { createElement, Fragment, type ReactNode } from 'react'
import { say } from '#words/words.ts'

type Part = ReactNode | ((content: ReactNode) => ReactNode)

/**
 * The names in braces and the tags of a message: 'Read <terms>our terms</terms>, {name}' has terms
 * and name.
 */
type Slot<Message extends string> = Placeholder<Message> | Tag<Message>
type Placeholder<Message extends string> = Message extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholder<Rest>
  : never
type Tag<Message extends string> = Message extends `${string}</${infer Name}>${infer Rest}`
  ? Name | Tag<Rest>
  : never

/** Marks the place of a part in the translated text. No message contains it. */
const MARK = '\u0000'
const SLOT = new RegExp(`${MARK}(\\w+)${MARK}|<(\\w+)>(.*?)</\\2>`)
/**
 * Splitting yields four pieces per slot: a text, then a name, a tag, and the content of the tag.
 */
const PIECES = 4

/**
 * A message with elements in it. A name in braces is replaced by its part. The part of a tag is a
 * function that wraps the tag's content in an element.
 */
export function Trans<const Message extends string>({
  message,
  ...given
}: { message: Message } & Record<Slot<Message>, Part>) {
  const parts = given as Record<string, Part>
  const places = Object.fromEntries(Object.keys(parts).map((name) => [name, MARK + name + MARK]))
  return filled(say(message, places), parts)
}

function filled(text: string, parts: Record<string, Part>): ReactNode {
  const pieces = text.split(SLOT)
  const nodes = pieces.map((piece, index): ReactNode => {
    if (index % PIECES === 0) return piece
    const part = parts[piece ?? '']
    if (index % PIECES === 2 && typeof part === 'function')
      return part(filled(pieces[index + 1] ?? '', parts))
    return index % PIECES === 1 && typeof part !== 'function' ? part : undefined
  })
  // Without keys, because the pieces of a message never change their order.
  return createElement(Fragment, null, ...nodes)
}
