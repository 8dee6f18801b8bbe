import { t } from '#words/words.ts'
import { LinkButton } from '#app/ui/buttons/button.tsx'

/**
 * The sentence of the specification is meant for developers; the text below tells visitors what to
 * do.
 */
export function NotFoundScreen() {
  const title = t('404 Page Not Found')
  return (
    <div className="grid min-h-[70dvh] content-center gap-4 px-5 text-center">
      <title>{`${title} · Trading Bot`}</title>
      <h1 className="text-28 font-semibold">{title}</h1>
      <p className="text-16 text-ink2">{t('Did you forget to add the page to the router?')}</p>
      <p className="text-16">
        {t('Nothing is at this address. Check it for typing errors, or go on from here.')}
      </p>
      <div className="mt-2 flex flex-wrap justify-center gap-3">
        <LinkButton href="/">{t('Go to Home')}</LinkButton>
        <LinkButton href="/help" look="outline">
          {t('Get help')}
        </LinkButton>
      </div>
    </div>
  )
}
