import { t } from './words.ts'

/** 'BTC, ETH and SOL' */
export function listText(words: readonly string[]): string {
  const last = words.at(-1) ?? ''
  return words.length < 2
    ? last
    : t('{list} and {last}', { list: words.slice(0, -1).join(', '), last })
}
