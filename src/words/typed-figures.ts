import { typedText } from '#core/typed-text.ts'
import { SPELLINGS } from './figures.ts'
import { language } from './language.ts'

/**
 * The plain decimal of a figure as the reader types it, or typed it in another language: '1.234,5'
 * as '1234.5' in German, '1,234.5' in English. A figure that begins with 0 has no groups.
 */
export function plainDecimal(typed: string, typedIn = language()): string {
  const { group, decimal } = SPELLINGS[typedIn]
  const grouped = new RegExp(`^[1-9]\\d{0,2}([${group}]\\d{3})+([${decimal}]\\d{1,2})?$`)
  const text = typedText(typed).replace(/^\$\s*|\s*\$$/g, '')
  if (grouped.test(text)) return text.replaceAll(group, '').replace(decimal, '.')
  return decimal === '.' ? text : text.replace(/^(\d+),(\d*)$/, '$1.$2')
}

export function typedDecimal(plain: string): string {
  return plain.replace('.', SPELLINGS[language()].decimal)
}
