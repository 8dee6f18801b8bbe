import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, test } from 'vitest'
import type { Check } from './checks.ts'

/**
 * A part of the specification: the number of its section, and a topic. `count.ts` counts rows by
 * it.
 */
export type Section = `${1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9} ${string}`

/**
 * Statements of the specification, in its own words, each with its check on the running product;
 * '(decision n)' if a decision settles it.
 */
type Table<Row> = Record<string, Row>

/** Rows that need no screen. */
export function rows(section: Section, table: Table<() => unknown>): void {
  for (const [what, check] of Object.entries(table))
    test(`[${section}] ${what}`, async () => void (await check()))
}

/** Rows that share a page and run in the given order: `open` opens it before the first. */
export function screen(
  open: () => Promise<Page>,
  sections: Partial<Record<Section, Table<Check>>>,
): void {
  describe(`${Object.keys(sections).join(', ')}`, () => {
    let page: Page
    beforeAll(async () => {
      page = await open()
    })
    afterAll(() => page.context().close())
    for (const [section, table] of Object.entries(sections)) {
      for (const [what, check] of Object.entries(table ?? {}))
        test(`[${section}] ${what}`, async () => void (await check(page)))
    }
  })
}
