import { Component, type ReactNode } from 'react'
import { t } from '#words/words.ts'
import { Button } from '#app/ui/buttons/button.tsx'
import { deviceTime, isRecent } from '#app/ui/device/clock.ts'
import { untilStaying } from '#app/ui/device/leaving.ts'
import { storedText, storeText } from '#app/ui/device/storage.ts'

const KEY = 'reloaded-for-a-screen-at'
const ONCE_IN_MS = 60_000
const ANSWER_TIMEOUT_MS = 5_000

/** `placeholder`: shown until it is clear whether the page is reloaded. */
type Props = { placeholder: ReactNode; children: ReactNode }
type State = { is?: 'failing' | 'missing' }

/**
 * Wraps screens, and parts that load later, such as sheets. In a tab with an older build, the
 * server may no longer have their files. Then the page is reloaded to get the current version, at
 * most once a minute, and only if the server answers, because otherwise the browser would show its
 * error page. Without a reload, an error is shown. Without this guard, React would remove the whole
 * app.
 */
export class Guarded extends Component<Props, State> {
  override state: State = {}

  static getDerivedStateFromError(): State {
    return { is: 'failing' }
  }

  override componentDidCatch(): void {
    void reloadsOnce().then((reloads) => reloads || this.setState({ is: 'missing' }))
  }

  override render(): ReactNode {
    const { is } = this.state
    if (is === 'missing') return <ScreenMissing />
    return is ? this.props.placeholder : this.props.children
  }
}

async function reloadsOnce(): Promise<boolean> {
  // Firefox and Safari cancel a page's requests as soon as another page is requested; a reload now
  // would cancel that navigation.
  await untilStaying()
  if (reloadedRecently() || !(await serverAnswers())) return false
  storeText('sessionStorage', KEY, String(deviceTime().getTime()))
  // If nothing can be stored, the page must not reload, because it would do so again and again.
  if (!reloadedRecently()) return false
  location.reload()
  return true
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
        {t('A screen needs a connection the first time. Your money and your bots are unchanged.')}
      </p>
      <Button look="outline" className="justify-self-center" onClick={() => location.reload()}>
        {t('Try again')}
      </Button>
    </div>
  )
}
