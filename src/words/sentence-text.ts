import { SENTENCES, type Sentence } from '#core/sentences.ts'
import { digitsText, isDollarFirst, withDollar, withPercent } from './figures.ts'
import { say } from './words.ts'

/** Values chosen by users, or names. They are never translated. */
const NAMES = new Set(['name', 'coin', 'quote'])

/** A sentence in the reader's language. */
export function sentenceText({ code, values = {} }: Sentence): string {
  return say(
    SENTENCES[code],
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [
        name,
        typeof value === 'object'
          ? sentenceText(value)
          : NAMES.has(name)
            ? value
            : figureText(String(value)),
      ]),
    ),
  )
}

/** '$1,234.50', '61,240.00' or '12%' in the reader's spelling. */
function figureText(figure: string): string {
  if (figure.endsWith('%')) return withPercent(digitsText(figure.slice(0, -1)))
  return figure.includes('$') ? amountInWords(figure) : digitsText(figure)
}

/** An amount that core printed, in the reader's spelling. Other texts are unchanged. */
export function amountInWords(text: string): string {
  const [, sign = '', digits] = /^([\u2212+]?)\$([\d,]+(?:\.\d+)?)$/.exec(text) ?? []
  if (digits === undefined || isDollarFirst()) return text
  return sign + withDollar(digitsText(digits))
}
