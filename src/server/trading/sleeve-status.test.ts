import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { groupBy } from '#core/group-by.ts'
import {
  nextStatus,
  SLEEVE_EVENTS,
  SLEEVE_STATUSES,
  SLEEVE_STEPS,
  type SleeveEvent,
} from '#core/pool/sleeve-steps.ts'
import { part } from '#server/db/statement.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/world/database.ts'
import { statusAfter } from './sleeve-status.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

/** Amounts on both sides of every comparison in the table, in all combinations. */
const SLEEVES = SLEEVE_STATUSES.flatMap((status) =>
  [0n, 1n, 2n].flatMap((cash) =>
    [0n, 999n, 1_000n, 2_000n].flatMap((offer) =>
      [0n, 1n].flatMap((base) =>
        [0n, 1n].flatMap((added) =>
          [
            [0n, 0n],
            [5n, 0n],
            [5n, 4n],
            [5n, 5n],
          ].map(([units = 0n, leaving = 0n]) => ({
            status,
            cash,
            offer,
            base,
            added,
            units,
            leaving,
          })),
        ),
      ),
    ),
  ),
)

test('statements move every sleeve to the status in the table, on every event', async () => {
  const after = (event: SleeveEvent) =>
    statusAfter(event, {
      cash: part`s.cash`,
      offer: part`s.offer`,
      base: part`s.base`,
      added: part`s.added`,
      units: part`s.units`,
      leaving: part`s.leaving`,
    })
  const column = (name: keyof (typeof SLEEVES)[number]) => SLEEVES.map((one) => String(one[name]))
  const rows = await database.sql<{ event: SleeveEvent; statuses: string[] }[]>`
    select e.event, array_agg(case e.event
           when 'close' then ${after('close')} when 'pause' then ${after('pause')}
           when 'trade' then ${after('trade')} when 'joined' then ${after('joined')}
           when 'left' then ${after('left')} when 'own-sold' then ${after('own-sold')}
           when 'paused' then ${after('paused')} when 'worthless' then ${after('worthless')}
           when 'freed' then ${after('freed')} end order by s.place) as statuses
      from unnest(${[...SLEEVE_EVENTS]}::text[]) as e (event), unnest(${column('status')}::text[],
           ${column('cash')}::text[]::bigint[], ${column('offer')}::text[]::bigint[],
           ${column('base')}::text[]::bigint[], ${column('added')}::text[]::bigint[],
           ${column('units')}::text[]::numeric[], ${column('leaving')}::text[]::numeric[])
           with ordinality as s (status, cash, offer, base, added, units, leaving, place)
     group by e.event`
  const told = new Map(rows.map(({ event, statuses }) => [event, statuses]))
  for (const event of SLEEVE_EVENTS)
    expect({ event, statuses: told.get(event) }).toEqual({
      event,
      statuses: SLEEVES.map((sleeve) => nextStatus(event, sleeve)),
    })
})

test('ARCHITECTURE.md shows the table as a diagram', () => {
  const edges = groupBy(
    SLEEVE_STEPS.flatMap(({ on, from, to }) =>
      (from ?? ['any status']).map((status) => ({ edge: `${status} --> ${to}`, on })),
    ),
    ({ edge }) => edge,
  )
  const lines = [...edges].map(
    ([edge, steps]) => `  ${edge}: ${[...new Set(steps.map(({ on }) => on))].join(', ')}`,
  )
  const diagram = ['stateDiagram-v2', '  state "any status" as any', ...lines].join('\n')
  const architecture = readFileSync(new URL('../../../ARCHITECTURE.md', import.meta.url), 'utf8')
  expect(/```mermaid\n(stateDiagram[^`]*)\n```/.exec(architecture)?.[1]).toBe(
    diagram.replaceAll('any status -->', 'any -->'),
  )
})
