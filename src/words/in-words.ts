import { SENTENCES } from '#core/sentences.ts'
import { amountInWords, digitsText, withPercent } from './figures.ts'
import { language } from './language.ts'
import { say, sayIfKnown } from './words.ts'

/** '$1,234.50', '61,240.00' or '12%', as core prints them. */
const FIGURE = /^([\u2212+]?\$)?\d[\d,]*(\.\d+)?%?$/

/** Values that users chose or that are names. They stay as they are. */
const NAMES = new Set(['name', 'coin', 'quote'])

/** Values that are sentences themselves. */
const INNER = new Set(['close', 'trends', 'cause', 'field'])

const PATTERNS = Object.values(SENTENCES).map((message) => ({
  message,
  pattern: patternOf(message),
}))

/**
 * A sentence that core said in English, or that is stored, in the reader's language. Any other text
 * stays as it is.
 */
export function inWords(text: string): string {
  if (language() === 'en') return text
  for (const { message, pattern } of PATTERNS) {
    const values = pattern.exec(text)?.groups
    if (values)
      return say(
        message,
        Object.fromEntries(
          Object.entries(values).map(([name, value]) => [name, valueInWords(name, value)]),
        ),
      )
  }
  return sayIfKnown(text)
}

function valueInWords(name: string, value: string): string {
  if (NAMES.has(name)) return value
  if (INNER.has(name)) return inWords(value)
  if (value.endsWith('%')) return withPercent(digitsText(value.slice(0, -1)))
  return value.includes('$') ? amountInWords(value) : digitsText(value)
}

function patternOf(message: string): RegExp {
  const parts = message
    .split(/\{(\w+)\}/)
    .map((part, index) =>
      index % 2 === 0 ? part.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&') : groupOf(part),
    )
  return new RegExp(`^${parts.join('')}$`, 's')
}

function groupOf(name: string): string {
  // A name of a bot may contain anything, also the words around it: a symbol may not.
  if (name === 'coin') return '(?<coin>[A-Z0-9]+)'
  return `(?<${name}>${NAMES.has(name) || INNER.has(name) ? '.+' : FIGURE.source.slice(1, -1)})`
}
