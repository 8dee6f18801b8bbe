import { t } from '#words/words.ts'
import { useConfig } from '#app/api/queries.ts'

/** Calm and permanent: nothing on a paper book's screens is real money. Absent on a live book. */
export function PaperStamp() {
  const config = useConfig()
  if (config.data?.book !== 'paper') return null
  return (
    <span
      className="shrink-0 rounded-stamp border-[1.5px] border-dashed border-warn px-2 py-0.5 text-14 font-semibold whitespace-nowrap
        text-warn"
    >
      {t('Paper money')}
    </span>
  )
}
