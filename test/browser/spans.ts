import type { Page } from 'playwright-core'

/**
 * Words that say over which time a result was made: a day, a range of a chart, since a bot began,
 * or the period of a backtest.
 */
const SPANS = [
  /\bpast\b/i,
  /since the start/i,
  /\b(12[- ]month|12 months|a year|day|days|weeks?|hours?)\b/i,
  /\b(Gain|Loss) in (1D|1W|1M|1Y)\b/,
  /Total (gain|loss)/i,
  /\w{3} \d{1,2}(, \d{4})? (to|–) \w{3} \d{1,2}/,
]

/**
 * Percentages of gains and losses whose section does not name the period over which they were made.
 */
export async function percentagesWithoutSpan(page: Page): Promise<string[]> {
  const results = await page.evaluate(() => {
    const colored = [...document.querySelectorAll<HTMLElement>('.text-gain, .text-loss')]
    const shown = colored.filter(
      (element) => /\d\s?%/.test(element.innerText) && element.checkVisibility(),
    )
    return shown.map((element) => {
      const section = element.closest<HTMLElement>(
        'figure, section, dialog, [role="dialog"], form, main',
      )
      const row = element.closest<HTMLElement>('li')
      // The section's words apply to all of its rows, but those within one row do not apply to the
      // others.
      const shared = section?.cloneNode(true)
      if (row !== null && shared instanceof HTMLElement)
        for (const other of shared.querySelectorAll('li')) other.remove()
      // The range chosen below a chart names the period of the chart.
      const range = section?.querySelector('[role="tab"][aria-selected="true"]')
      return {
        text: element.innerText,
        around: `${row?.innerText ?? ''} ${shared?.textContent ?? ''}`,
        range: range?.textContent,
      }
    })
  })
  return results
    .filter(
      ({ around, range }) => (range ?? null) === null && !SPANS.some((span) => span.test(around)),
    )
    .map(({ text }) => `${text}: over which time?`)
}

/** The triangle that each change shows beside its sign. */
const TRIANGLE = 'path[d="M5 1 10 9.5H0Z"]'

/** Changes that screen readers get without "up" or "down"; they may skip a sign. */
export async function changesWithoutWord(page: Page): Promise<string[]> {
  const heard = await page.evaluate((triangle) => {
    const figures = [...document.querySelectorAll(triangle)].flatMap(
      (path) => path.closest('bdi') ?? [],
    )
    return figures
      .filter((figure) => figure.checkVisibility() && !figure.closest('[aria-hidden="true"]'))
      .map((figure) => {
        const copy = figure.cloneNode(true) as Element
        for (const silent of copy.querySelectorAll('[aria-hidden="true"]')) silent.remove()
        return copy.textContent
      })
  }, TRIANGLE)
  return heard
    .filter((text) => !/^(up|down) [^+\u2212]+$/.test(text))
    .map((text) => `a change is heard as "${text}"`)
}
