import { t } from '#words/words.ts'

/**
 * Hidden from screen readers, because it explains the looks of lines. Without interest the line of
 * money kept as cash is the start, which the chart names.
 */
export function ChartLegend({ hasFan = false, hasCash }: { hasFan?: boolean; hasCash: boolean }) {
  return (
    <p aria-hidden="true" className="flex flex-wrap gap-x-5 gap-y-1 text-14 text-ink2">
      <Entry line="border-ink">{t('This bot')}</Entry>
      <Entry line="border-dashed border-ink3">{t('Buy and hold')}</Entry>
      {hasCash && <Entry line="border-dotted border-ink3">{t('If kept as cash')}</Entry>}
      {hasFan && <Entry line="border-dashed border-ink">{t('Next 24 h')}</Entry>}
    </p>
  )
}

function Entry({ line, children }: { line: string; children: string }) {
  return (
    <span className="inline-flex items-center gap-2">
      <span aria-hidden="true" className={`w-5 border-t-2 ${line}`} /> {children}
    </span>
  )
}
