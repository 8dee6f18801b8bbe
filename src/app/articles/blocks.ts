/** A paragraph or a bullet list. */
export type Block =
  | { kind: 'paragraph'; text: string }
  | { kind: 'list'; points: readonly string[] }

/**
 * Parses answers and articles: blank lines between blocks, '- ' before list items. Nothing else is
 * markup.
 */
export function blocksOf(text: string): Block[] {
  return text
    .split(/\n{2,}/)
    .map((block) => block.trim())
    .filter((block) => block !== '')
    .map((block) => {
      const lines = block.split('\n')
      const isList = lines.every((line) => line.startsWith('- '))
      return isList
        ? { kind: 'list', points: lines.map((line) => line.slice(2)) }
        : { kind: 'paragraph', text: lines.join(' ') }
    })
}
