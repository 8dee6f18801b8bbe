import type { ComponentType } from 'react'
import { t } from '#words/words.ts'
import { Button } from '#app/ui/buttons/button.tsx'
import { deviceTime, isRecent } from '#app/ui/device/clock.ts'
import { untilStaying } from '#app/ui/device/leaving.ts'
import { storedText, storeText } from '#app/ui/device/storage.ts'

const KEY = 'reloaded-for-a-screen-at'
const ONCE_IN_MS = 60_000
const ANSWER_TIMEOUT_MS = 5_000

/**
 * Loads a screen. In a tab with an older build, the server may no longer have the screen's file.
 * Then the page is reloaded to get the current version, at most once a minute, and only if the
 * server answers, because otherwise the browser would show its error page. Without a reload, the
 * screen shows an error.
 */
export async function loadScreen(load: () => Promise<ComponentType>): Promise<ComponentType> {
  // On the server all screens are in one bundle, so there is nothing to reload.
  if (typeof document === 'undefined') return load()
  try {
    return await load()
  } catch (error) {
    console.warn('A screen could not be loaded.', error)
    // Firefox and Safari cancel a page's requests as soon as another page is requested; a reload
    // now would cancel that navigation.
    await untilStaying()
    if (reloadedRecently() || !(await serverAnswers())) return ScreenMissing
    storeText('sessionStorage', KEY, String(deviceTime().getTime()))
    // If nothing can be stored, the page must not reload, because it would do so again and again.
    if (!reloadedRecently()) return ScreenMissing
    location.reload()
    return new Promise(() => undefined)
  }
}

function reloadedRecently(): boolean {
  return isRecent(Number(storedText('sessionStorage', KEY)), {
    withinMs: ONCE_IN_MS,
    now: deviceTime(),
  })
}

async function serverAnswers(): Promise<boolean> {
  return fetch('/index.html', {
    cache: 'no-store',
    signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
  }).then(
    ({ ok }) => ok,
    () => false,
  )
}

function ScreenMissing() {
  return (
    <div className="grid min-h-[60dvh] content-center gap-4 px-5 text-center">
      <h1 className="text-20 font-semibold">{t('This screen could not be loaded')}</h1>
      <p className="text-16 text-ink2">
        {t('It needs a connection the first time. Your money and your bots are where they were.')}
      </p>
      <Button look="outline" className="justify-self-center" onClick={() => location.reload()}>
        {t('Try again')}
      </Button>
    </div>
  )
}
