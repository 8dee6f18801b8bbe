import { Fragment, type ReactNode } from 'react'
import type { PublicConfig } from '#contract/config.ts'
import { useConfig } from '#app/api/queries.ts'

/**
 * Shows text, never HTML. Threat: the text may contain names that users chose. Only the configured
 * address of support becomes a link.
 */
export function TextBlocks({ text }: { text: string }) {
  const support = useConfig().data?.support
  return (
    <div className="flex flex-col gap-3">
      {blocksOf(text).map((block, place) =>
        block.kind === 'paragraph' ? (
          <p key={place}>{linked(block.text, support)}</p>
        ) : (
          <ul key={place} className="flex list-disc flex-col gap-1 pl-5 marker:text-ink3">
            {block.points.map((point) => (
              <li key={point}>{linked(point, support)}</li>
            ))}
          </ul>
        ),
      )}
    </div>
  )
}

function linked(text: string, support: PublicConfig['support'] | undefined): ReactNode {
  if (!support) return text
  const { address, href } = support
  return text.split(address).map((part, place) => (
    <Fragment key={place}>
      {place > 0 && (
        <a
          href={href}
          rel="noopener noreferrer"
          className="font-semibold wrap-anywhere text-accent underline"
        >
          {address}
        </a>
      )}
      {part}
    </Fragment>
  ))
}

type Block = { kind: 'paragraph'; text: string } | { kind: 'list'; points: readonly string[] }

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
