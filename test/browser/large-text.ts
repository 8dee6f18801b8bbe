import type { Page } from 'playwright-core'

/**
 * A narrow window that keeps its width. A mobile context widens the viewport to the widest element,
 * so that nothing there ever seems to scroll sideways.
 */
export const NARROW_WINDOW = {
  viewport: { width: 390, height: 844 },
  isMobile: false,
  hasTouch: false,
} as const

type Box = { left: number; top: number; right: number; bottom: number }
/**
 * A word as it is laid out: a box for each line that it is on. `layer`: words of different layers
 * may lie over each other.
 */
type Word = { text: string; node: number; layer: number; boxes: Box[] }

/** Longer words, such as references and addresses of wallets, may be broken: they fit no line. */
const LONGEST_WORD = 20

/** Pixels by which boxes may overlap without a reader noticing. */
const TOLERANCE_PX = 1

/**
 * Sets the text of the page to `percent` of its size, as a setting of the browser or phone does.
 */
export async function enlargeText(page: Page, percent = 200): Promise<void> {
  await page.evaluate(
    (size) => document.documentElement.style.setProperty('font-size', `${size}%`, 'important'),
    percent,
  )
  await page.evaluate(() => document.fonts.ready.then(() => new Promise(requestAnimationFrame)))
}

/**
 * Parts of the page that a reader cannot read now: sideways scrolling, texts on top of each other,
 * words broken inside, texts cut off, and texts that stay covered. Leaves the page scrolled to its
 * end.
 */
export async function findUnreadable(page: Page, longestWord = LONGEST_WORD): Promise<string[]> {
  const [words, wide, cut] = [
    await page.evaluate(readWords),
    await page.evaluate(findWide),
    await page.evaluate(findCut),
  ]
  const broken = words
    .filter((word) => isBroken(word, longestWord))
    .map(({ text }) => `'${text}' is broken inside`)
  return [...wide, ...cut, ...broken, ...overlapsOf(words), ...(await page.evaluate(findCovered))]
}

function isBroken({ text, boxes }: Word, longestWord: number): boolean {
  return text.length <= longestWord && new Set(boxes.map(({ top }) => Math.round(top))).size > 1
}

function overlapsOf(words: readonly Word[]): string[] {
  const found = words.flatMap((word, index) =>
    words.slice(index + 1).flatMap((other) => {
      const mayMeet = word.node === other.node || word.layer !== other.layer
      return !mayMeet && word.boxes.some((box) => other.boxes.some((second) => meet(box, second)))
        ? [`'${word.text}' lies over '${other.text}'`]
        : []
    }),
  )
  return [...new Set(found)]
}

function meet(one: Box, other: Box): boolean {
  const across = Math.min(one.right, other.right) - Math.max(one.left, other.left)
  const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top)
  return across > TOLERANCE_PX && down > TOLERANCE_PX
}

/**
 * Runs in the page. A box is the middle half of a line: what is above and below it belongs to the
 * font, not to its letters.
 */
function readWords(): Word[] {
  const isLayer = ({ position, overflowY }: CSSStyleDeclaration) =>
    /fixed|sticky/.test(position) || /auto|scroll/.test(overflowY)
  const layers = [...document.querySelectorAll('body *')].filter((element) =>
    isLayer(getComputedStyle(element)),
  )
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const words: Word[] = []
  for (let node = 0; texts.nextNode(); node += 1) {
    const text = texts.currentNode
    const holder = text.parentElement
    const isSeen =
      holder?.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
      !holder.closest('.sr-only, title, script, style, option')
    if (!isSeen) continue
    const layer = layers.findLastIndex((element) => element.contains(holder))
    for (const { 0: word, index } of (text.textContent ?? '').matchAll(/[^\s/–—-]+/g)) {
      const range = document.createRange()
      range.setStart(text, index)
      range.setEnd(text, index + word.length)
      const boxes = [...range.getClientRects()].map(({ left, right, top, height }) => ({
        left,
        right,
        top: top + height / 4,
        bottom: top + (height * 3) / 4,
      }))
      words.push({ text: word, node, layer, boxes })
    }
  }
  return words
}

/** Runs in the page: whether it scrolls sideways, and what sticks out. */
function findWide(): string[] {
  const { scrollWidth, clientWidth } = document.documentElement
  if (scrollWidth <= clientWidth) return []
  const out = [...document.querySelectorAll('main *, dialog *, [role=dialog] *, nav *')].filter(
    (element) =>
      element.getBoundingClientRect().right > clientWidth + 1 && element.children.length === 0,
  )
  const names = out.slice(0, 5).map((element) => `'${element.textContent.trim().slice(0, 40)}'`)
  return [
    `the page scrolls sideways: ${scrollWidth} px in ${clientWidth} px; ${names.join(', ')} ` +
      'stick out',
  ]
}

/** Runs in the page: texts that end in an ellipsis. */
function findCut(): string[] {
  return [...document.querySelectorAll<HTMLElement>('body *')]
    .filter(
      (element) =>
        getComputedStyle(element).textOverflow === 'ellipsis' &&
        element.checkVisibility() &&
        element.scrollWidth > element.clientWidth + 1,
    )
    .map((element) => `'${element.textContent}' is cut off`)
}

/** Texts that a field of the page cuts: its placeholder, or the choice of a select. */
export async function findCutInFields(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const pen = document.createElement('canvas').getContext('2d')
    const fields = [
      ...document.querySelectorAll<HTMLElement>(
        'input[placeholder], textarea[placeholder], select',
      ),
    ]
    const textOf = (field: HTMLElement) =>
      (field instanceof HTMLSelectElement
        ? field.selectedOptions[0]?.text
        : field.getAttribute('placeholder')) ?? ''
    const isCut = (field: HTMLElement) => {
      const { fontWeight, fontSize, fontFamily, paddingLeft, paddingRight } =
        getComputedStyle(field)
      if (pen) pen.font = `${fontWeight} ${fontSize} ${fontFamily}`
      const room =
        field.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight)
      return (pen?.measureText(textOf(field)).width ?? 0) > room + 1
    }
    // A text area wraps its placeholder like its text.
    const isTooLow = (area: HTMLTextAreaElement) => {
      const filled = Object.assign(area.cloneNode() as HTMLTextAreaElement, {
        value: area.placeholder,
      })
      filled.style.cssText =
        `field-sizing: fixed; flex: none; width: ${area.offsetWidth}px; height: 0; ` +
        'min-height: 0'
      area.after(filled)
      const height = filled.scrollHeight
      filled.remove()
      return height > area.clientHeight + 1
    }
    const isShort = (field: HTMLElement) =>
      field instanceof HTMLTextAreaElement ? isTooLow(field) : isCut(field)
    return fields
      .filter(
        (field) =>
          field.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
          isShort(field),
      )
      .map(textOf)
  })
}

/**
 * Runs in the page: texts that stay under a bar at the lower edge, or beyond it, when everything is
 * scrolled to its end, and bars that leave less than half of the window.
 */
async function findCovered(): Promise<string[]> {
  const isSeen = (element: Element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
  // A sheet covers the bars of its screen.
  const sheet = [...document.querySelectorAll('dialog[open], :popover-open')].at(-1)
  const scope = sheet ?? document.body
  const bars = [...scope.querySelectorAll('*')].filter((element) => {
    const { position, bottom, pointerEvents } = getComputedStyle(element)
    const isBar = position === 'fixed' || (position === 'sticky' && bottom !== 'auto')
    // Ignored: a toast lets presses through around it, and closes by itself.
    return (
      isBar &&
      pointerEvents !== 'none' &&
      isSeen(element) &&
      element.getBoundingClientRect().bottom > innerHeight / 2
    )
  })
  const topOf = (elements: readonly Element[]) =>
    Math.min(innerHeight, ...elements.map((element) => element.getBoundingClientRect().top))
  const left = Math.round(topOf(bars))
  const low = left < innerHeight / 2 ? [`the bars leave ${left} of ${innerHeight} px`] : []
  // Twice, because the end moves while a field grows with its text.
  for (let round = 0; round < 2; round += 1) {
    for (const element of [document.documentElement, scope, ...scope.querySelectorAll('*')]) {
      if (element.scrollHeight > element.clientHeight)
        element.scrollTo({ top: element.scrollHeight, behavior: 'instant' })
    }
    await new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)))
  }
  const edge = topOf(bars.filter((bar) => getComputedStyle(bar).position === 'fixed'))
  const covered = [...scope.querySelectorAll('*')].filter((element) => {
    const hasText = [...element.childNodes].some(
      (node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim(),
    )
    const { bottom, width } = element.getBoundingClientRect()
    const isBelow = width > 1 && bottom > edge + 1
    return (
      hasText &&
      isBelow &&
      isSeen(element) &&
      !element.closest('.sr-only, option, section[aria-label^=Notifications]') &&
      !bars.some((bar) => bar.contains(element))
    )
  })
  return [
    ...low,
    ...covered.map((element) => `'${element.textContent.trim().slice(0, 40)}' stays covered`),
  ]
}
