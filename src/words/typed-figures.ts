import { typedText } from '#core/typed-text.ts'
import { SPELLINGS } from './figures.ts'
import { language } from './language.ts'

/**
 * The plain decimal of a typed figure: '1234.5' for '1.234,5' in German and '1,234.5' in English.
 * `typedIn`: the language when it was typed. A figure that begins with 0 has no group separators.
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
