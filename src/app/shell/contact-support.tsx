import { t } from '#words/words.ts'
import { useConfig } from '#app/api/queries.ts'

/** The operator's address as a link; nothing if none is configured. */
export function ContactSupport({ className = '' }: { className?: string }) {
  const support = useConfig().data?.support
  if (!support) return null
  return (
    <p className={`flex flex-wrap items-center gap-x-2 text-16 text-ink2 ${className}`}>
      <a
        href={support.href}
        rel="noopener noreferrer"
        className="inline-flex min-h-12 items-center font-semibold text-accent underline"
      >
        {t('Contact support')}
      </a>
      <span className="wrap-anywhere">{support.address}</span>
    </p>
  )
}
