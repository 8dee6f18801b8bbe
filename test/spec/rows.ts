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
  describe(`${section}`, { shuffle: false }, () => {
    walk(titled(section, table))
  })
}

/** Rows that share a page: `open` opens it before the first. */
export function screen(
  open: () => Promise<Page>,
  sections: Partial<Record<Section, Table<Check>>>,
): void {
  describe(`${Object.keys(sections).join(', ')}`, { shuffle: false }, () => {
    let page: Page
    beforeAll(async () => {
      page = await open()
    })
    afterAll(() => page.context().close())
    const all = Object.entries(sections).flatMap(([section, table = {}]) => titled(section, table))
    walk(all.map(([title, check]) => [title, () => check(page)]))
  })
}

const titled = <Row>(section: string, table: Table<Row>) =>
  Object.entries(table).map(([what, row]): [string, Row] => [`[${section}] ${what}`, row])

/**
 * Each row goes on where the one before it ended. A row that runs alone first takes the steps of
 * all before it.
 */
function walk(steps: readonly [title: string, step: () => unknown][]): void {
  let taken = 0
  for (const [place, [title]] of steps.entries()) {
    test(`${title}`, async () => {
      const due = steps.slice(Math.min(taken, place), place + 1)
      taken = place + 1
      for (const [, step] of due) await step()
    })
  }
}
