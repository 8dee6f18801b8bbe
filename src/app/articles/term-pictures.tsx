import { t } from '#words/words.ts'

/** Pictures of 320 by 112, which the sentences below them explain. */
const LINE = 'stroke-ink forced-colors:stroke-[CanvasText]'
const FAINT = 'stroke-control forced-colors:stroke-[GrayText]'
const ACCENT = 'stroke-accent forced-colors:stroke-[Highlight]'

/** The price, the high that it breaks (dashed), and the stop that only rises (in steps). */
export function TrendPicture() {
  return (
    <>
      <path d="M8 50H112" strokeWidth="2" strokeDasharray="5 6" className={FAINT} />
      <path
        d="M112 84H138V70H166V56H196V46H272"
        strokeWidth="2"
        strokeDasharray="5 6"
        className={ACCENT}
      />
      <path
        d="M8 78 28 58 44 66 62 52 84 72 112 50 134 34 150 44 178 20 198 30 216 14 240 34 296 82"
        strokeWidth="3"
        className={LINE}
      />
      <path d="M112 57l7 12h-14z" className="fill-accent forced-colors:fill-[Highlight]" />
      <path d="M258 38l7-12h-14z" className="fill-accent forced-colors:fill-[Highlight]" />
    </>
  )
}

/** A bar of which a part is filled. */
export function InvestedPicture() {
  return (
    <>
      <rect x="9" y="36" width="302" height="40" rx="12" strokeWidth="2" className={FAINT} />
      <path
        d="M21 36H128V76H21A12 12 0 0 1 9 64V48A12 12 0 0 1 21 36Z"
        className="fill-accent forced-colors:fill-[Highlight]"
      />
    </>
  )
}

/** Two curves from one start, one with small and one with large swings. */
export function SwingsPicture() {
  return (
    <>
      <path d="M8 56H152M168 56H312" strokeWidth="2" strokeDasharray="1 6" className={FAINT} />
      <path
        d="M8 56 26 51 44 59 62 50 80 60 98 53 116 58 134 50 152 54"
        strokeWidth="3"
        className={LINE}
      />
      <path
        d="M168 56 186 30 204 78 222 16 240 96 258 34 276 88 294 20 312 42"
        strokeWidth="3"
        className={LINE}
      />
    </>
  )
}

/** A coin, of which the venue keeps a slice. */
export function FeePicture() {
  return (
    <>
      <circle cx="150" cy="56" r="44" strokeWidth="3" className={LINE} />
      <g transform="translate(12 -8)">
        <path
          d="M150 56 172 18A44 44 0 0 1 190 37.500Z"
          className="fill-loss forced-colors:fill-[Highlight]"
        />
      </g>
      <path d="M150 56 172 18M150 56 190 37.500" strokeWidth="3" className={LINE} />
    </>
  )
}

/** A bank note with the dashed stamp on it. */
export function PaperPicture() {
  return (
    <>
      <rect x="70" y="12" width="180" height="88" rx="10" strokeWidth="2" className={FAINT} />
      <circle cx="160" cy="56" r="24" strokeWidth="2" className={FAINT} />
      <g transform="rotate(-8 160 56)">
        <rect
          x="98"
          y="40"
          width="124"
          height="32"
          rx="6"
          strokeWidth="2.5"
          strokeDasharray="7 6"
          className="fill-surface stroke-warn forced-colors:stroke-[CanvasText]"
        />
        <text
          x="160"
          y="62"
          textAnchor="middle"
          className="fill-warn text-17 font-semibold forced-colors:fill-[CanvasText]"
        >
          {t('Paper money')}
        </text>
      </g>
    </>
  )
}
