import type { Page } from 'playwright-core'

const MOST_STOPS = 120

/** The focused element: its accessible name, its role or type, and whether the focus is visible. */
type Stop = { name: string; kind: string; isMarked: boolean }

/**
 * Presses Tab until the control with this name has the focus; the focus must be visible at every
 * stop.
 */
export async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const passed: string[] = []
  for (let stop = 0; stop < MOST_STOPS; stop += 1) {
    await page.keyboard.press('Tab')
    const { name: here, kind, isMarked } = await currentStop(page)
    if (!isMarked && kind !== 'body')
      throw new Error(`the focus on ${kind} '${here}' cannot be seen`)
    if (typeof name === 'string' ? here === name : name.test(here)) return
    passed.push(here)
  }
  throw new Error(`Tab never comes to ${String(name)}, only to ${[...new Set(passed)].join(' · ')}`)
}

/** Tabs to a control and presses a key: Enter for links and buttons, Space for choices. */
export async function tabAndPress(
  page: Page,
  name: string | RegExp,
  key: 'Enter' | 'Space' = 'Enter',
): Promise<void> {
  await tabTo(page, name)
  await page.keyboard.press(key)
}

/** Tabs to a field and types into it. */
export async function tabAndType(page: Page, name: string | RegExp, text: string): Promise<void> {
  await tabTo(page, name)
  await page.keyboard.type(text)
}

function currentStop(page: Page): Promise<Stop> {
  return page.evaluate(() => {
    const element = document.activeElement ?? document.body
    const labels =
      element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement
        ? [...(element.labels ?? [])].map((label) => label.textContent)
        : []
    const isMarkedAt = (place: Element | null): boolean =>
      place !== null &&
      ['', '::after'].some((part) => getComputedStyle(place, part || null).outlineStyle !== 'none')
    const holders = [element, element.parentElement, element.closest('label')]
    return {
      name: (element.getAttribute('aria-label') ?? (labels.join(' ') || element.textContent))
        .replaceAll(/\s+/g, ' ')
        .trim(),
      kind: element.tagName.toLowerCase(),
      isMarked: holders.some(isMarkedAt),
    }
  })
}
