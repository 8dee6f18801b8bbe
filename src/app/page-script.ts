import { INTERACTIVE } from '#app/ui/frame/interactive.ts'
import { keepEarlyInput, reloadWithLoss } from './early-input.ts'

/**
 * The inline script of a page that the server renders. Loads the app's scripts after the first
 * paint and records input until the app is interactive. Links work without a script.
 */
keepEarlyInput()
const stopped = new AbortController()
const early = { signal: stopped.signal }
document.addEventListener(INTERACTIVE, () => stopped.abort(), { once: true })
window.addEventListener(
  'beforeinstallprompt',
  (event) => {
    event.preventDefault()
    window.earlyInstallOffer = event
  },
  early,
)
window.addEventListener('load', () => afterFrames(3, loadScripts))
// The font is loaded at the first navigation, when no text can shift. Wouter dispatches this event.
window.addEventListener('pushState', () => releaseTemplate('#fonts'), { once: true })

/** The scripts are in a template, because any fetch before the first paint would delay it. */
function loadScripts(): void {
  releaseTemplate('#after-paint')
  // If loading fails for lack of a network, reloads the page once the network is back.
  const again = () => window.addEventListener('online', reloadWithLoss, early)
  for (const script of document.querySelectorAll('script[src]'))
    script.addEventListener('error', again, early)
}

function releaseTemplate(name: string): void {
  const waiting = document.querySelector<HTMLTemplateElement>(name)
  if (waiting) document.head.append(waiting.content)
}

/**
 * Runs `act` after `count` frames: when a frame begins, the previous one has been painted. A hidden
 * page has no frames, so there `act` waits until it is shown.
 */
function afterFrames(count: number, act: () => void): void {
  if (count === 0 || document.visibilityState !== 'visible') return act()
  const observer = new IntersectionObserver(() => {
    observer.disconnect()
    afterFrames(count - 1, act)
  })
  observer.observe(document.documentElement)
}
