import { t } from '#words/words.ts'

export function HypotheticalMark() {
  return (
    <span
      className={
        'inline-block rounded-stamp border-[1.5px] border-dashed border-info px-2 py-0.5 ' +
        'text-14 font-semibold text-info'
      }
    >
      {t('Hypothetical: no money moved')}
    </span>
  )
}
