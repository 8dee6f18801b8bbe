/**
 * A message through NATS. It begins with the id of the process that sent it and its count. A text came from a transaction in the life `life` of the
 * database; the others say that the process is there, or that it ends in order.
 */
export type Message = { publisher: string; count: number } & (Announced | { kind: 'beat' | 'goodbye' })

export type Announced = { kind: 'text'; life: string; number: bigint; past: bigint; text: string }

export function writeMessage(message: Message): string {
  const start = `${message.publisher} ${message.count} ${message.kind}`
  return message.kind === 'text' ? `${start} ${message.life} ${message.number} ${message.past} ${message.text}` : start
}

const FORM = /^([\w-]+) (\d+) (?:(beat|goodbye)|text (\d+) (\d+) (\d+) (.*))$/s

/** Undefined for what this version did not write. */
export function readMessage(written: string): Message | undefined {
  const [, publisher, count, sign, life, number, past, text] = FORM.exec(written) ?? []
  if (publisher === undefined || count === undefined) return undefined
  const start = { publisher, count: Number(count) }
  if (sign === 'beat' || sign === 'goodbye') return { ...start, kind: sign }
  if (life === undefined || number === undefined || past === undefined || text === undefined) return undefined
  return { ...start, kind: 'text', life, number: BigInt(number), past: BigInt(past), text }
}
