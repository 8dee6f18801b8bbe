import { required } from '#core/assert.ts'
import { statusCase, type SleeveAmounts, type SleeveEvent } from '#core/pool/sleeve-steps.ts'
import { Fragment, part } from '#server/db/statement.ts'

/** The status of sleeve `s` after an event, with these amounts, by the table of core. */
export function statusAfter(
  event: SleeveEvent,
  amounts: { readonly [Name in keyof SleeveAmounts]?: Fragment },
): Fragment {
  const named: Record<string, Fragment> = { status: part`s.status`, ...amounts }
  const pieces = statusCase(event).split(/:(\w+)/)
  return new Fragment(
    pieces.filter((_text, place) => place % 2 === 0),
    pieces
      .filter((_name, place) => place % 2 === 1)
      .map((name) => part`(${required(named[name], `the ${name} of a sleeve`)})`),
  )
}
