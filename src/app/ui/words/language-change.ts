import { useRef, type ReactNode } from 'react'
import { language, type Language } from '#words/language.ts'
import { t } from '#words/words.ts'
import { reloadIn } from '#app/ui/device/leaving.ts'
import { useCarefulReload } from '#app/ui/overlays/careful-reload.tsx'

/**
 * Returns `choose`, which changes the language, and a dialog to render, which asks for confirmation
 * if typed text would be lost.
 */
export function useLanguageChange(): { choose: (next: Language) => void; dialog: ReactNode } {
  const chosen = useRef(language())
  const { begin, dialog } = useCarefulReload({
    reload: () => reloadIn(chosen.current),
    question: t('Change the language and lose what you typed?'),
    confirmLabel: t('Change Language'),
    reason: t('The change reloads this screen. No money has moved: nothing has been sent yet.'),
  })
  const choose = (next: Language) => {
    if (next === language()) return
    chosen.current = next
    begin()
  }
  return { choose, dialog }
}
