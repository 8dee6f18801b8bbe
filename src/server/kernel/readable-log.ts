import { styleText } from 'node:util'
import type { DestinationStream } from 'pino'

type Entry = {
  level: number
  time: number
  msg?: string
  err?: { message: string; stack?: string }
} & Record<string, unknown>

const NAMES: readonly [least: number, name: string, color: 'red' | 'yellow' | 'gray' | 'white'][] =
  [
    [50, 'ERROR ', 'red'],
    [40, 'WARN  ', 'yellow'],
    [30, '', 'white'],
    [0, 'DEBUG ', 'gray'],
  ]

/** Formats pino's lines for a person at a terminal. Other readers get the JSON. */
export function readableLog(terminal: NodeJS.WritableStream): DestinationStream {
  return { write: (line) => void terminal.write(`${readableEntry(line, terminal)}\n`) }
}

/** `12:03:17 WARN  the message  key=value`, with an error's stack below it. */
function readableEntry(line: string, terminal: NodeJS.WritableStream): string {
  const { level, time, msg = '', err, ...fields } = JSON.parse(line) as Entry
  const [, name, color] = NAMES.find(([least]) => level >= least) ?? [0, '', 'white' as const]
  const values = Object.entries(fields)
    .map(([key, value]) => `  ${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('')
  const clock = new Date(time).toLocaleTimeString('en-GB')
  const paint = (paintColor: typeof color, text: string) =>
    styleText(paintColor, text, { stream: terminal })
  const stack = err
    ? `\n${paint('gray', (err.stack ?? err.message).split('\n').map(lineOfStack).join('\n'))}`
    : ''
  return (
    `${paint('gray', clock)} ` +
    `${paint(color, escaped(`${name}${msg}`))}${paint('gray', escaped(values))}${stack}`
  )
}

/**
 * Escapes control characters. Threat: a foreign text, such as a provider's error, could forge a
 * line, or make the terminal erase one.
 */
const escaped = (text: string): string =>
  text.replaceAll(
    /[\p{Cc}\p{Cf}\u2028\u2029]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** Indents all lines of a stack but the first. */
const lineOfStack = (line: string, place: number): string =>
  `${place === 0 || line.startsWith(' ') ? '' : '    '}${escaped(line)}`

/**
 * Calls `end` once this process's output cannot be written any more, as after `npm start | head
 * -3`. Otherwise the next line would crash the process and orphan its children.
 */
export function whenUnread(end: () => void): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', end)
}
