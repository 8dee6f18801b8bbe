import { t } from '#words/words.ts'
import { useConfig } from '#app/api/queries.ts'

/**
 * A price curve over the dotted line of its starting price. `nameFrom` hides the name on narrower
 * screens.
 */
export function Brand({ nameFrom }: { nameFrom?: 'lg' }) {
  return (
    <span className="inline-flex items-center gap-2.5 text-17 font-semibold">
      <svg viewBox="0 0 64 64" aria-hidden="true" className="size-8">
        <rect width="64" height="64" rx="14" className="fill-accent" />
        <g fill="none" className="stroke-on-accent" strokeLinecap="round" strokeLinejoin="round">
          <path d="M10 41h44" strokeWidth="2.5" strokeDasharray="0.1 6.2" opacity="0.75" />
          <path d="m10 46 9-9 7 5 9-18 7 8 12-16" strokeWidth="5" />
        </g>
      </svg>
      {nameFrom ? <span className="max-lg:sr-only">{t('Trading Bot')}</span> : t('Trading Bot')}
    </span>
  )
}

/** Shown on every screen of a paper book, because its money is not real; never in a live book. */
export function PaperStamp() {
  const config = useConfig()
  if (config.data?.book !== 'paper') return null
  return (
    <span
      className={
        'shrink-0 rounded-stamp border-[1.5px] border-dashed border-warn px-2 py-0.5 ' +
        'text-14 font-semibold whitespace-nowrap text-warn'
      }
    >
      {t('Paper money')}
    </span>
  )
}
