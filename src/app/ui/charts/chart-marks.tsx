import { Link } from '#app/ui/frame/link.tsx'
import { positionOf, type Scale } from './curve.ts'

export type ChartMark = {
  at: string
  sign: string
  text: string
  href?: string
}

const STYLE = 'grid size-12 place-items-center rounded-control focus-visible:outline-offset-[-6px]'

/**
 * A row of marks on the lower edge of a chart. Under the pointer or with the focus, a mark shows
 * its event.
 */
export function ChartMarks({
  name,
  items,
  scale,
  onNote,
}: {
  name: string
  items: readonly ChartMark[]
  scale: Scale
  onNote: (text: string | undefined) => void
}) {
  if (items.length === 0) return null
  return (
    <ul aria-label={name}>
      {items.map(({ at, sign, text, href }, index) => {
        const note = {
          onFocus: () => onNote(text),
          onPointerEnter: () => onNote(text),
          onBlur: () => onNote(undefined),
          onPointerLeave: () => onNote(undefined),
        }
        return (
          <li
            key={at}
            className="absolute bottom-3 -translate-x-1/2 translate-y-1/2"
            style={{
              left: placeOf({
                share: positionOf({ at, value: '0' }, scale).x,
                index,
                count: items.length,
              }),
            }}
          >
            {href === undefined ? (
              <button type="button" aria-label={text} className={STYLE} {...note}>
                <Sign text={sign} />
              </button>
            ) : (
              <Link href={href} aria-label={text} className={STYLE} {...note}>
                <Sign text={sign} />
              </Link>
            )}
          </li>
        )
      })}
    </ul>
  )
}

function Sign({ text }: { text: string }) {
  return (
    <span
      aria-hidden="true"
      className={
        'grid h-5 min-w-5 place-items-center rounded-full border border-control bg-surface ' +
        'px-1 text-12 font-semibold text-ink'
      }
    >
      {text}
    </span>
  )
}

/**
 * Minimum distance between the centers of two marks: the width of a mark, which grows with the
 * text.
 */
const STEP_REM = 1.5

/**
 * The position of a mark, as a CSS length: at `share` of the width, but within the edges, with room
 * for the marks before and after it. Otherwise marks near an edge would overlap at a large text
 * size.
 */
export function placeOf({
  share,
  index,
  count,
}: {
  share: number
  index: number
  count: number
}): string {
  return (
    `clamp(${STEP_REM * (index + 1)}rem, ${share * 100}%, 100% - ` +
    `${STEP_REM * (count - index)}rem)`
  )
}
