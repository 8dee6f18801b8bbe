import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/world/database.ts'
import { newRows, rows } from './rows.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
  await database.sql`
    create table things (id uuid constraint things_pkey primary key, note text, units bigint,
           share numeric, count integer, rank smallint, is_new boolean, made_at timestamptz,
           details jsonb)`
})

afterAll(() => database.drop())

type Thing = {
  id: string
  note: string | null | undefined
  units: bigint | null
  share: string | null
  count: number | null
  rank: number | null
  isNew: boolean | null
  madeAt: Date | null
  details: unknown
}

const COLUMNS = {
  id: 'uuid',
  note: 'text',
  units: 'bigint',
  share: 'numeric',
  count: 'integer',
  rank: 'smallint',
  is_new: 'boolean',
  made_at: 'timestamptz',
  details: 'jsonb',
} as const

const full: Thing = {
  id: '01900000-0000-7000-8000-000000000001',
  note: 'a note',
  units: 9_223_372_036_854_775_807n,
  share: '0.12345678901234567890',
  count: -2_147_483_648,
  rank: 32_767,
  isNew: false,
  madeAt: new Date('2026-03-05T08:00:00.123Z'),
  details: { list: [1, 'two', null], text: `'"{},\\` },
}
const empty: Thing = {
  id: '01900000-0000-7000-8000-000000000002',
  note: null,
  units: null,
  share: null,
  count: null,
  rank: null,
  isNew: null,
  madeAt: null,
  details: null,
}

/** Texts that mean something in SQL, in an array's text or in JSON. */
const HOSTILE = [
  '',
  ' ',
  'null',
  'NULL',
  '"',
  "'",
  "'; drop table things; --",
  '\\',
  '\\"',
  '{}',
  '{a,b}',
  '}, {',
  ',',
  '$1',
  '::text[]',
  'line\nline\ttab\r',
  'ÄÖÜ 🤖 e\u0301',
]

const readBack = (list: readonly string[]) =>
  database.sql<{ note: string }[]>`
    select note from ${rows(
      list.map((note) => ({ note })),
      { note: 'text' },
    )}`

test('every type is read as it was written, null too', async () => {
  await database.sql`insert into things ${newRows([full, empty], COLUMNS)}`
  const [first, second] = await database.sql<Thing[]>`select * from things order by id`
  expect(first).toEqual({ ...full, share: '0.12345678901234567890' })
  expect(second).toEqual(empty)
  await database.sql`delete from things`
})

test('a missing field or JSON value is null, and JSON null is not SQL null', async () => {
  const columns = { note: 'text', details: 'jsonb' } as const
  const list = [
    { note: undefined, details: undefined },
    { note: 'x', details: null },
  ]
  const found = await database.sql`
    select note, details is null as lacks, jsonb_typeof(details) as kind
      from ${rows(list, columns)}`
  expect([...found]).toEqual([
    { note: null, lacks: true, kind: null },
    { note: 'x', lacks: false, kind: 'null' },
  ])
})

test('hostile texts are stored as texts, in columns and in JSON', async () => {
  expect((await readBack(HOSTILE)).map(({ note }) => note)).toEqual(HOSTILE)
  const found = await database.sql<{ details: unknown }[]>`
    select details from ${rows([{ details: HOSTILE }], { details: 'jsonb' })}`
  expect(found.map(({ details }) => details)).toEqual([HOSTILE])
})

test('any text is read as it was written', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0'))),
      async (list) => {
        expect((await readBack(list)).map(({ note }) => note)).toEqual(list)
      },
    ),
    { numRuns: 50 },
  ))

test('an empty list yields no rows and inserts none', async () => {
  expect(await readBack([])).toHaveLength(0)
  const { count } = await database.sql`insert into things ${newRows<Thing, never>([], COLUMNS)}`
  expect(count).toBe(0)
})

test('the text of a statement is the same for any number of rows', async () => {
  const texts = [0, 1, 1_000].map(
    (length) =>
      rows(
        Array.from({ length }, () => full),
        COLUMNS,
      ).strings.length,
  )
  expect(new Set(texts).size).toBe(1)
})

test('a column can be computed from its row', async () => {
  const found = await database.sql<{ double: bigint }[]>`
    select double from ${rows([{ units: 2n }, { units: -3n }], {
      double: ['bigint', ({ units }) => units * 2n],
    })}`
  expect(found.map(({ double }) => double)).toEqual([4n, -6n])
})

test.each([
  ['a number above the type', { count: 2_147_483_648 }, 'integer'],
  ['a fraction as an integer', { count: 1.5 }, 'integer'],
  ['a text as an integer', { count: '1; select 1' }, 'integer'],
  ['a NUL character', { count: 'a\0b' }, 'text'],
] as const)('%s is refused by the database', async (_, row, type) => {
  await expect(
    database.sql`select count from ${rows([row, row], { count: type })}`,
  ).rejects.toMatchObject({ code: expect.stringMatching(/^22|^42/) as unknown })
})

test('a list as the value of a column, or an invalid column name, is a bug', () => {
  expect(() => rows([{ count: [1, 2] }], { count: 'integer' })).toThrow('a column holds one value')
  expect(() => rows([{ 'a b': 1 }], { 'a b': 'integer' })).toThrow('columns are named')
})
