import { INTERACTIVE } from '#app/ui/frame/interactive.ts'

/**
 * The one script inside a page that the server renders: small, and there before anything can be touched. It sends for the app's scripts
 * once the page is painted, and keeps what people do until the app answers to it. Links simply lead on: they need no script.
 */

/** What was done to each element, in the order of the last time: pressed twice in impatience, it is carried out once. */
const kept = new Set<Element>()
const stopped = new AbortController()
const early = { capture: true, signal: stopped.signal }

/** The app's own listeners are not all there yet: what they would hear of is kept from them, and told once they are. */
function keep(element: Element, event: Event): void {
  event.stopImmediatePropagation()
  kept.delete(element)
  kept.add(element)
}

const isField = (target: EventTarget | null): target is HTMLInputElement | HTMLTextAreaElement =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement

const isTicked = (target: EventTarget | null): target is HTMLInputElement => target instanceof HTMLInputElement && /^(checkbox|radio)$/.test(target.type)

document.addEventListener('click', (event) => {
  const button = event.target instanceof Element ? event.target.closest('button') : null
  if (button === null) return
  // Threat: a form sent by the browser itself would carry a password to wherever the page's address points.
  event.preventDefault()
  keep(button, event)
}, early)

document.addEventListener('submit', (event) => {
  event.preventDefault()
  if (event.target instanceof HTMLFormElement) keep(event.target, event)
}, early)

document.addEventListener('input', (event) => {
  if (isField(event.target)) keep(event.target, event)
}, early)

document.addEventListener('change', (event) => {
  if (isTicked(event.target)) keep(event.target, event)
}, early)

// Where a question is typed, Enter sends it.
document.addEventListener('keydown', (event) => {
  const { target, key, shiftKey, isComposing } = event
  if (!(target instanceof HTMLTextAreaElement) || target.form === null || key !== 'Enter' || shiftKey || isComposing) return
  event.preventDefault()
  keep(target.form, event)
}, early)

// Along tabs and a chart each press is a step of its own.
const steps: KeyboardEvent[] = []
document.addEventListener('keydown', (event) => {
  const { target, key } = event
  if (!(target instanceof Element) || !target.matches('[role=tab], [role=slider]') || !/^(Arrow|Home$|End$)/.test(key)) return
  event.preventDefault()
  event.stopImmediatePropagation()
  steps.push(event)
}, early)

window.addEventListener('beforeinstallprompt', (event) => {
  event.preventDefault()
  window.earlyInstallOffer = event
}, early)

document.addEventListener(INTERACTIVE, () => {
  stopped.abort()
  void makeGood()
}, { once: true })

/** The app hears, one after the other, what it missed. */
async function makeGood(): Promise<void> {
  // A browser fills in what it remembers without a word.
  for (const field of document.querySelectorAll('#root :is(input, textarea)')) if (isFilledIn(field)) kept.add(field)
  const actions = [...[...kept].map(actionOf), ...steps.map(stepAgain)]
  for (const act of actions) {
    act()
    // React renders what one has changed before the next.
    await Promise.resolve()
  }
}

/** Of the radio buttons of a group, the one that is chosen tells it all. */
function isFilledIn(field: Element): boolean {
  if (isTicked(field)) return field.checked !== field.defaultChecked && (field.checked || field.type === 'checkbox')
  return isField(field) && field.value !== field.defaultValue
}

function actionOf(element: Element): () => void {
  if (isTicked(element)) return tickingAgain(element)
  if (isField(element)) return typingAgain(element)
  if (element instanceof HTMLFormElement) return () => element.requestSubmit()
  return () => element instanceof HTMLElement && element.click()
}

/** From where the step before has led to. */
function stepAgain(event: KeyboardEvent, index: number): () => void {
  const first = event.target
  return () => (index === 0 ? first : document.activeElement)?.dispatchEvent(new KeyboardEvent('keydown', event))
}

/** React believes a field to hold what it last saw there: it has to see the field as the server rendered it, then what was typed. */
function typingAgain(field: HTMLInputElement | HTMLTextAreaElement): () => void {
  const typed = field.value
  const { selectionStart, selectionEnd } = field
  return () => {
    field.value = field.defaultValue
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, typed)
    if (selectionStart !== null) field.setSelectionRange(selectionStart, selectionEnd)
    field.dispatchEvent(new Event('input', { bubbles: true }))
  }
}

function tickingAgain(box: HTMLInputElement): () => void {
  const { checked } = box
  return () => {
    box.checked = box.defaultChecked
    if (checked !== box.defaultChecked) box.click()
  }
}

/** The scripts wait in a template: whatever is fetched before the first paint delays it. */
function sendForScripts(): void {
  tellServer()
  bringOut('#after-paint')
  // A network that was lost on the way: what never came is asked for again once it is back.
  const again = () => window.addEventListener('online', () => location.reload(), early)
  for (const script of document.querySelectorAll('script[src]')) script.addEventListener('error', again, early)
}

function bringOut(name: string): void {
  const waiting = document.querySelector<HTMLTemplateElement>(name)
  if (waiting) document.head.append(waiting.content)
}

// The font comes with another screen, where everything is new. Wouter tells of every step as an event of this name.
window.addEventListener('pushState', () => bringOut('#fonts'), { once: true })

/** Said to the server in cookies, so that a page is rendered for this device. Browsers end a script's cookie after some days: each visit renews it. */
function tellServer(): void {
  const say = (name: string, value: string) => {
    document.cookie = `${name}=${value}; path=/; samesite=lax; max-age=31536000`
  }
  say('time-zone', new Intl.DateTimeFormat().resolvedOptions().timeZone)
  say('font', 'fetched')
  for (const chosen of document.cookie.split('; ').filter((cookie) => /^(hide-balance|theme)=/.test(cookie))) say(...partsOf(chosen))
}

function partsOf(cookie: string): [name: string, value: string] {
  const [name = '', value = ''] = cookie.split('=')
  return [name, value]
}

/** A frame tells of what it shows before it is painted: when the second begins, the first can be seen. A hidden page has no frames. */
function afterFrames(count: number, act: () => void): void {
  if (count === 0 || document.visibilityState !== 'visible') return act()
  const observer = new IntersectionObserver(() => {
    observer.disconnect()
    afterFrames(count - 1, act)
  })
  observer.observe(document.documentElement)
}

window.addEventListener('load', () => afterFrames(3, sendForScripts))
