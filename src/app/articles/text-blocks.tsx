import { blocksOf } from './blocks.ts'

/** An answer or an article, rendered as text and never as HTML. Threat: it may contain names that users chose. */
export function TextBlocks({ text }: { text: string }) {
  return (
    <div className="flex flex-col gap-3">
      {blocksOf(text).map((block, place) =>
        block.kind === 'paragraph' ? (
          <p key={place}>{block.text}</p>
        ) : (
          <ul key={place} className="flex list-disc flex-col gap-1 pl-5 marker:text-ink3">
            {block.points.map((point) => (
              <li key={point}>{point}</li>
            ))}
          </ul>
        ),
      )}
    </div>
  )
}
