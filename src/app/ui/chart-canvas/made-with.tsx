import { t } from '#words/words.ts'

/** Never translated. */
const NOTICE = 'TradingView Lightweight Charts™, © 2025 TradingView, Inc.'

/** Required by the license of the library that draws: its notice, with a link to its maker. */
export function MadeWith() {
  return (
    <a
      href="https://www.tradingview.com/"
      target="_blank"
      rel="noreferrer"
      className={
        'inline-flex min-h-12 items-center text-12 text-ink2 underline decoration-control ' +
        'underline-offset-[0.2em]'
      }
    >
      {NOTICE}
      <span className="sr-only"> {t('(opens in a new tab)')}</span>
    </a>
  )
}
