import { language } from '#words/language.ts'
import { t } from '#words/words.ts'
import { useDeviceFact } from '#app/ui/device/device-facts.ts'

/**
 * A screenshot of Home in the reader's language, taken from the product by `node
 * scripts/take-app-screenshots.ts`. Its size is fixed, so that nothing moves when it arrives, and
 * it is loaded only when it comes near the screen.
 */
export function AppPicture() {
  const theme = useDeviceFact({
    onDevice: () => document.documentElement.dataset['theme'] ?? 'system',
    onPage: (page) => page.theme,
  })
  const name = language() === 'en' ? 'landing' : `landing-${language()}`
  return (
    <figure className="mt-10 flex flex-col items-center">
      <picture>
        {theme === 'system' && (
          <source media="(prefers-color-scheme: dark)" srcSet={`/screenshots/${name}-dark.webp`} />
        )}
        <img
          src={`/screenshots/${name}-${theme === 'dark' ? 'dark' : 'light'}.webp`}
          width={280}
          height={520}
          loading="lazy"
          decoding="async"
          alt={t(
            'Home in the app: the total balance of a sample account, its chart over 19 days with a drop and a recovery, and the buttons Deposit and Withdraw.',
          )}
          className="rounded-sheet border border-control"
        />
      </picture>
      <figcaption className="mt-3 max-w-70 text-14 text-pretty text-ink2">
        {t('Home, with a sample account: paper money on a simulated market.')}
      </figcaption>
    </figure>
  )
}
