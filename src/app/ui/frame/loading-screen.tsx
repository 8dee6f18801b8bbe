import { t } from '#words/words.ts'

export function LoadingScreen() {
  return (
    <div aria-busy="true" className="grid min-h-dvh place-items-center">
      <h1 className="text-16 font-normal text-ink2">
        <span role="status">{t('Loading…')}</span>
      </h1>
    </div>
  )
}
