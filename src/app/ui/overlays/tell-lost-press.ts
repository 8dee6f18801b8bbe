import { t } from '#words/words.ts'
import { PRESS_LOST } from '#app/ui/frame/interactive.ts'
import { showToast } from './toast.ts'

/** Tells whoever pressed before the app was there, and whose press cannot be replayed. */
export function tellLostPress(): void {
  document.addEventListener(PRESS_LOST, () =>
    showToast({
      title: t('Please press again'),
      description: t('The page was still loading.'),
      tone: 'destructive',
    }),
  )
}
