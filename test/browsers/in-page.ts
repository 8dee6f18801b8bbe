/**
 * Runs in the page, as text: it may use nothing from outside. Finds what a person means by a role
 * and a name, and the point to press.
 */

export type Role = 'button' | 'link' | 'field' | 'choice' | 'text'
export type Wanted = { role: Role; name: string; isPattern: boolean }
/** The point at the middle of the thing, or the reason why it cannot be pressed. */
export type Place = { x: number; y: number } | { problem: string }

export function findInPage({ role, name, isPattern }: Wanted): Place {
  const SELECTORS = {
    button: 'button, summary, [role=tab], [role=option]',
    link: 'a[href]',
    field: 'input:not([type=checkbox], [type=radio]), textarea, select',
    choice: 'input[type=checkbox], input[type=radio]',
    text: '*',
  }
  const tidy = (text: string | null | undefined) => (text ?? '').replaceAll(/\s+/g, ' ').trim()
  const matches = (text: string) => (isPattern ? new RegExp(name).test(text) : text === name)
  const isShown = (element: Element) =>
    element.checkVisibility({ opacityProperty: false, visibilityProperty: true }) &&
    element.getClientRects().length > 0
  const labels = (element: Element) =>
    'labels' in element ? [...((element.labels as NodeListOf<Element> | null) ?? [])] : []
  const namedBy = (element: Element) =>
    (element.getAttribute('aria-labelledby') ?? '')
      .split(' ')
      .map((id) => tidy(document.getElementById(id)?.textContent))
      .join(' ')
      .trim()
  const nameOf = (element: Element) =>
    element.getAttribute('aria-label') ??
    (namedBy(element) || tidy(labels(element)[0]?.textContent) || tidy(element.textContent))
  const dialog = [
    ...document.querySelectorAll('dialog:modal, :popover-open:has(> [role=menu])'),
  ].at(-1)
  const all = [...(dialog ?? document.body).querySelectorAll(SELECTORS[role])].filter(
    (element) => matches(nameOf(element)) && (role === 'choice' || isShown(element)),
  )
  // The last of those around a text is the closest.
  const found =
    role === 'text'
      ? all.findLast(
          (element) => !all.some((other) => other !== element && element.contains(other)),
        )
      : all[0]
  if (found === undefined) return { problem: 'it is not there' }
  if (found.matches(':disabled, [aria-disabled=true]')) return { problem: 'it is disabled' }
  const isCarried = ({ effect, playState }: Animation) =>
    playState === 'running' &&
    effect instanceof KeyframeEffect &&
    effect.getComputedTiming().endTime !== Infinity &&
    effect.target?.contains(found) === true
  if (role !== 'text' && document.getAnimations().some(isCarried))
    return { problem: 'it is moving' }
  const target = role === 'choice' ? (labels(found)[0] ?? found) : found
  if (role !== 'text') target.scrollIntoView({ block: 'center', behavior: 'instant' })
  const { left, top, width, height } = target.getClientRects()[0] ?? target.getBoundingClientRect()
  const [x, y] = [Math.round(left + width / 2), Math.round(top + height / 2)]
  if (role === 'text') return { x, y }
  const hit = document.elementFromPoint(x, y)
  if (hit === null) return { problem: `it is outside of the screen, at ${x}, ${y}` }
  const isHit =
    target.contains(hit) ||
    (hit.contains(target) && hit.matches('label, button, a')) ||
    labels(found).some((label) => label.contains(hit))
  return isHit ? { x, y } : { problem: `${hit.outerHTML.slice(0, 120)} covers it at ${x}, ${y}` }
}
