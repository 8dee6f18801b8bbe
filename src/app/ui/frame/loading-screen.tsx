import { t } from '#words/words.ts'

export function LoadingScreen() {
  return (
    <div aria-busy="true" className="grid min-h-dvh place-items-center">
      <title>{t('Trading Bot')}</title>
      <div role="status">
        <h1 className="text-16 font-normal text-ink2">{t('Loading…')}</h1>
      </div>
    </div>
  )
}
