import { isEnter } from '#app/ui/device/typing.ts'
import { INTERACTIVE, PRESS_LOST } from '#app/ui/frame/interactive.ts'

/**
 * Elements with recorded input, in the order of their last event. So a button pressed twice is
 * replayed once.
 */
const recorded = new Set<Element>()

/** Key presses on tabs and charts. Each of them is replayed. */
const steps: KeyboardEvent[] = []

/** Records input until the app is interactive, then replays it. */
export function keepEarlyInput(): void {
  const stopped = new AbortController()
  const listen = <Type extends keyof DocumentEventMap>(
    type: Type,
    act: (event: DocumentEventMap[Type]) => void,
  ) => document.addEventListener(type, act, { capture: true, signal: stopped.signal })
  listen('click', keepPress)
  listen('submit', keepSubmit)
  listen('input', (event) => {
    if (isField(event.target)) record(event.target, event)
  })
  listen('change', (event) => {
    if (isTicked(event.target)) record(event.target, event)
  })
  listen('keydown', keepEnter)
  listen('keydown', keepStep)
  const end = () => {
    stopped.abort()
    void replay()
  }
  document.addEventListener(INTERACTIVE, end, { once: true })
}

/**
 * Reloads although recorded presses get lost. Notes the loss in the page's history entry, which
 * survives the reload even if storage is denied.
 */
export function reloadWithLoss(): void {
  if (recorded.size + steps.length > 0)
    history.replaceState({ ...history.state, pressLost: true }, '')
  location.reload()
}

function takeLoss(): boolean {
  const { pressLost = false, ...rest } = { ...history.state }
  if (pressLost) history.replaceState(rest, '')
  return pressLost
}

function keepPress(event: MouseEvent): void {
  // React handles a checkbox on its click. If React is listening already, it must not see this
  // click, because the replay would be a second one.
  if (isTicked(event.target)) return event.stopImmediatePropagation()
  const button = event.target instanceof Element ? event.target.closest('button') : null
  if (button === null) return
  // Threat: a form submitted by the browser itself would put a password into the page's address.
  event.preventDefault()
  record(button, event)
  showKept(button)
}

function keepSubmit(event: SubmitEvent): void {
  event.preventDefault()
  if (!(event.target instanceof HTMLFormElement)) return
  record(event.target, event)
  showKept(event.target.querySelector('[type=submit]'))
}

/** Enter in a text area submits its form, as it does in the app. */
function keepEnter(event: KeyboardEvent): void {
  const { target, shiftKey } = event
  if (!(target instanceof HTMLTextAreaElement) || target.form === null) return
  if (shiftKey || !isEnter(event)) return
  event.preventDefault()
  record(target.form, event)
}

function keepStep(event: KeyboardEvent): void {
  const { target, key } = event
  if (!(target instanceof Element) || !target.matches('[role=tab], [role=slider]')) return
  if (!/^(Arrow|Home$|End$)/.test(key)) return
  event.preventDefault()
  event.stopImmediatePropagation()
  steps.push(event)
}

/** Stops the event, because some of the app's listeners may not be attached yet. */
function record(element: Element, event: Event): void {
  event.stopImmediatePropagation()
  recorded.delete(element)
  recorded.add(element)
}

/** Shows that a press is stored until the app handles it. */
function showKept(button: Element | null): void {
  button?.setAttribute('data-waiting', '')
  button?.setAttribute('aria-busy', 'true')
}

function release(button: Element): void {
  button.removeAttribute('data-waiting')
  button.setAttribute('aria-busy', 'false')
}

const isField = (target: EventTarget | null): target is HTMLInputElement | HTMLTextAreaElement =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement

const isTicked = (target: EventTarget | null): target is HTMLInputElement =>
  target instanceof HTMLInputElement && /^(checkbox|radio)$/.test(target.type)

async function replay(): Promise<void> {
  for (const button of document.querySelectorAll('[data-waiting]')) release(button)
  // Browsers restore or fill in fields without an event.
  for (const field of document.querySelectorAll('#root :is(input, textarea)'))
    if (isFilledIn(field)) recorded.add(field)
  const { activeElement } = document
  const shown = isField(activeElement) ? activeElement.value : undefined
  const actions = [
    ...[...recorded].map((element) => ({ element, act: actionOf(element) })),
    ...steps.map((event, index) => ({ element: event.target, act: stepAgain(event, index) })),
  ]
  let isLost = takeLoss()
  for (const { element, act } of actions) {
    // Lets React render before each event: first the stored drafts, then the change by the previous
    // event.
    await Promise.resolve()
    if (element instanceof Element && element.isConnected) act()
    else isLost = true
  }
  if (isLost) document.dispatchEvent(new Event(PRESS_LOST))
  await Promise.resolve()
  // Selects a draft that has appeared under the cursor, so that typing replaces it.
  if (isField(activeElement) && activeElement.value !== shown) activeElement.select()
}

/**
 * Whether the user or the browser filled in the field. In a group of radio buttons, only the chosen
 * one is.
 */
function isFilledIn(field: Element): boolean {
  if (isTicked(field))
    return field.checked !== field.defaultChecked && (field.checked || field.type === 'checkbox')
  return isField(field) && field.value !== field.defaultValue
}

function actionOf(element: Element): () => void {
  if (isTicked(element)) return tickingAgain(element)
  if (isField(element)) return typingAgain(element)
  if (element instanceof HTMLFormElement) return () => element.requestSubmit()
  return () => element instanceof HTMLElement && element.click()
}

/**
 * The first key press goes to its own target, each later one to the element that the previous press
 * focused.
 */
function stepAgain(event: KeyboardEvent, index: number): () => void {
  const first = event.target
  return () =>
    (index === 0 ? first : document.activeElement)?.dispatchEvent(
      new KeyboardEvent('keydown', event),
    )
}

/**
 * React reacts only if a field differs from the value it last saw, so first the server's value is
 * set, then the typed one.
 */
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
