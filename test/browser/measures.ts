import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { enlargeText, findUnreadable } from './large-text.ts'

/**
 * All rules, for the light theme. In dark, only the color rules are run, because a theme changes
 * only colors.
 */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
const COLOR_RULES = ['color-contrast', 'link-in-text-block']
const RULES = {
  light: { type: 'tag', values: TAGS },
  dark: { type: 'rule', values: COLOR_RULES },
} as const

/** Two phones, and a desk, where screens stand in columns beside the rail. */
const WINDOWS = [
  { width: 390, height: 844 },
  { width: 320, height: 844 },
  { width: 1280, height: 800 },
] as const
/** On this narrower phone only sizes are measured, because it shows the same as the first one. */
const SIZES_ALONE = 320
const DESK = 1280
const THEMES = ['light', 'dark'] as const

/**
 * CSS pixels: the minimum size of a touch target, and the type size below which phones zoom into a
 * field.
 */
const LEAST_TARGET_PX = 44
const LEAST_INPUT_TYPE_PX = 16

type Theme = (typeof THEMES)[number]

/** All combinations of window and theme, or the first phone in light and one other. */
export type Looks = 'all' | 'dark' | 'desk'

/**
 * Findings on the screen in its present state: in each window and theme, and on the first phone
 * with text of twice the size. It ends there.
 */
export async function measureLooks(
  page: Page,
  chosen: Looks = 'all',
): Promise<{ look: string; findings: string[] }[]> {
  const looks: { look: string; findings: string[] }[] = []
  for (const window of WINDOWS) {
    const themes = themesIn(window.width, chosen)
    if (themes.length === 0) continue
    await page.setViewportSize(window)
    const isNarrow = window.width === SIZES_ALONE
    for (const colorScheme of themes) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.evaluate(
        () => new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted))),
      )
      const limits = { target: LEAST_TARGET_PX, type: LEAST_INPUT_TYPE_PX }
      // Only in light, because a theme changes no sizes.
      const sizes = colorScheme === 'light' ? await page.evaluate(sizeFindings, limits) : []
      looks.push({
        look: `${window.width} px, ${colorScheme}`,
        findings: [...(isNarrow ? [] : await axeFindings(page, colorScheme)), ...sizes],
      })
    }
  }
  await page.setViewportSize(WINDOWS[0])
  await enlargeText(page)
  return [...looks, { look: '200 % text', findings: await findUnreadable(page) }]
}

function themesIn(width: number, chosen: Looks): readonly Theme[] {
  if (width === SIZES_ALONE) return ['light']
  if (chosen === 'all') return THEMES
  if (width === DESK) return chosen === 'desk' ? ['light'] : []
  return chosen === 'dark' ? THEMES : ['light']
}

/**
 * German compounds that are longer are hyphenated by browsers that have a dictionary; the one of
 * the tests breaks them anywhere.
 */
const LONGEST_UNBROKEN = 13

/**
 * Findings of German on the screen in its present state: what does not fit, on the smallest phone
 * and with text of twice the size. It ends there.
 */
export async function measureGerman(page: Page): Promise<string[]> {
  await page.setViewportSize(WINDOWS[1])
  const narrow = await page.evaluate(sizeFindings, {
    target: LEAST_TARGET_PX,
    type: LEAST_INPUT_TYPE_PX,
  })
  await page.setViewportSize(WINDOWS[0])
  await enlargeText(page)
  return [...narrow, ...(await findUnreadable(page, LONGEST_UNBROKEN))]
}

/**
 * The script of axe without the parts that are not used; less than half of what `AxeBuilder` would
 * inject.
 */
const axeSource = readFileSync(
  join(import.meta.dirname, '../../node_modules/axe-core/axe.min.js'),
  'utf8',
)

type Violation = { id: string; nodes: readonly { html: string }[] }
type Axe = { run: (options: object) => Promise<{ violations: Violation[] }> }

/** `AxeBuilder` injects axe into the page; later runs call the injected axe directly. */
async function axeFindings(page: Page, theme: Theme): Promise<string[]> {
  const { type, values } = RULES[theme]
  const options = {
    runOnly: { type, values: [...values] },
    resultTypes: ['violations' as const],
    iframes: false,
  }
  const isThere = await page.evaluate(() => 'axe' in window)
  const { violations } = isThere
    ? await page.evaluate((given) => (window as unknown as { axe: Axe }).axe.run(given), options)
    : await new AxeBuilder({ page, axeSource }).options(options).setLegacyMode(true).analyze()
  return violations.map(
    ({ id, nodes }) => `axe ${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`,
  )
}

/**
 * Runs in the page: small targets, small type in fields, a page or dialog wider than the screen,
 * animations despite reduced motion.
 */
function sizeFindings({ target, type }: { target: number; type: number }): string[] {
  const isHidden = (element: Element) =>
    element.closest('[aria-hidden="true"], [inert]') !== null || !element.checkVisibility()
  const nameOf = (element: Element) =>
    `<${element.tagName.toLowerCase()}> ` +
    (element.getAttribute('aria-label') ?? element.textContent.trim().slice(0, 40))
  const boxOf = (element: Element) => {
    const own = element.getBoundingClientRect()
    // A link that covers its row is pressed anywhere on the row.
    const cover = getComputedStyle(element, '::after')
    if (cover.position === 'absolute' && cover.content !== 'none')
      return { width: Number.parseFloat(cover.width), height: Number.parseFloat(cover.height) }
    // A checkbox that its label draws is pressed on the label.
    return own.width <= 1 ? element.closest('label')?.getBoundingClientRect() : own
  }
  /** True for a link within a sentence. */
  const isInline = (element: Element) => {
    const sentence = element.parentElement?.textContent.trim() ?? ''
    return (
      element.tagName === 'A' &&
      /^inline(-block)?$/.test(getComputedStyle(element).display) &&
      sentence.length > element.textContent.trim().length
    )
  }
  const small = [
    ...document.querySelectorAll(
      'a[href], button, input, select, textarea, summary, [role], [tabindex]',
    ),
  ]
    .filter((element) => !isHidden(element) && !isInline(element))
    .filter(
      (element) =>
        /^(A|BUTTON|INPUT|SELECT|TEXTAREA|SUMMARY)$/.test(element.tagName) ||
        /^(button|tab|slider|switch|checkbox|radio)$/.test(element.role ?? ''),
    )
    .flatMap((element) => {
      const box = boxOf(element)
      if (
        !box ||
        box.width === 0 ||
        (Math.round(box.width) >= target && Math.round(box.height) >= target)
      )
        return []
      return [`target ${nameOf(element)} is ${Math.round(box.width)} × ${Math.round(box.height)}`]
    })
  const unreadable = [
    ...document.querySelectorAll<HTMLElement>(
      'input:not([type=radio], [type=checkbox], [type=hidden]), select, textarea',
    ),
  ]
    .filter(
      (element) =>
        !isHidden(element) && Number.parseFloat(getComputedStyle(element).fontSize) < type,
    )
    .map((element) => `field ${nameOf(element)} has type of ${getComputedStyle(element).fontSize}`)
  const wide = [
    document.documentElement,
    ...document.querySelectorAll('dialog, dialog > div, dialog > div > div'),
  ]
    .filter((element) => element.scrollWidth > element.clientWidth + 1)
    .map(
      (element) =>
        `<${element.tagName.toLowerCase()}> scrolls sideways: ${element.scrollWidth} in ` +
        element.clientWidth,
    )
  const moving = document
    .getAnimations()
    .filter(
      ({ playState, effect }) =>
        playState === 'running' && Number(effect?.getComputedTiming().activeDuration) > 0,
    )
    .map(
      (animation) =>
        'moves although less motion is asked for: ' +
        (animation instanceof CSSAnimation ? animation.animationName : 'a transition'),
    )
  const waiting = document.querySelector('[data-waiting]')
    ? ['is marked as waiting for the app']
    : []
  return [...small, ...unreadable, ...wide, ...moving, ...waiting]
}
