import { HtmlValidate, type ConfigData } from 'html-validate'
import type { Page } from 'playwright-core'

/** All recommended rules but these. */
const CONFIG: ConfigData = {
  root: true,
  extends: ['html-validate:recommended'],
  rules: {
    // Off, because the browser writes this markup: the spelling of attributes and line ends is not
    // ours.
    'attribute-boolean-style': 'off',
    'attribute-empty-style': 'off',
    'no-trailing-whitespace': 'off',
    // Off, because figures determine the widths of bars and the positions of marks.
    'no-inline-style': 'off',
    // React makes ids such as `_r_0_`; HTML forbids only blanks in them.
    'valid-id': ['error', { relaxed: true }],
    // Checkboxes of one group share a name, as radio buttons do.
    'form-dup-name': ['error', { shared: ['radio', 'checkbox', 'button', 'reset', 'submit'] }],
  },
}

const reader = new HtmlValidate(CONFIG)

/** The chart library's own elements, which are not ours to mend. */
const NOT_OURS = '.tv-lightweight-charts'

/**
 * Places that the reader passes: a group of a `dl` with anything but terms and scripts (HTML,
 * 4.4.9), and a heading that announces its changes.
 */
const PASSED = 'dl > div > :not(dt, dd, script, template), :is(h1, h2, h3) [role="status"]'

/** Violations of the HTML standard in the page's present markup. */
export async function markupFindings(page: Page): Promise<string[]> {
  const { html, passed } = await page.evaluate(
    ([notOurs, selector]) => {
      const copy = document.documentElement.cloneNode(true) as HTMLElement
      for (const element of copy.querySelectorAll(notOurs)) element.replaceChildren()
      return {
        html: `<!DOCTYPE html>\n${copy.outerHTML}`,
        passed: [...copy.querySelectorAll(selector)].map(({ outerHTML }) => outerHTML),
      }
    },
    [NOT_OURS, PASSED] as const,
  )
  const { results } = await reader.validateString(html)
  const found = results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, selector }) => `${ruleId}: ${message} at ${selector ?? ''}`),
  )
  return [...found, ...passed.map((element) => `not allowed there: ${element.slice(0, 200)}`)]
}
