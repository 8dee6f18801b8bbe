import { t } from '#words/words.ts'

/** Opens in a new tab, so that the form keeps what was typed. */
export function EvidenceLink({ sentence }: { sentence: string | undefined }) {
  return (
    <a
      href="/evidence"
      target="_blank"
      rel="noreferrer"
      className="inline-block py-0.5 text-ink underline decoration-control underline-offset-[0.2em]"
    >
      {sentence ?? t('See the evidence')}
      <span className="sr-only"> {t('(opens in a new tab)')}</span>
    </a>
  )
}
