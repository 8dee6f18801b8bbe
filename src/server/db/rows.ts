import { assert } from '#core/assert.ts'
import { commas, Fragment, part, type SqlValue } from './statement.ts'

type Type =
  | 'bigint'
  | 'boolean'
  | 'integer'
  | 'jsonb'
  | 'numeric'
  | 'smallint'
  | 'text'
  | 'timestamptz'
  | 'uuid'

/**
 * A column given by its type alone is read from the field of the same name: `user_id` from
 * `userId`.
 */
type Column<Row, Name extends string> =
  | (Camel<Name> extends keyof Row ? Type : never)
  | readonly [Type, (row: Row) => unknown]

type Camel<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Name

type Columns<Row, Name extends string> = { [Each in Name]: Column<Row, Each> }

/**
 * `list` as the table `given`, passed as one array per column, so that the statement has the same
 * text for any number of rows.
 */
export function rows<Row extends object, Name extends string>(
  list: readonly Row[],
  columns: Columns<Row, Name>,
): Fragment {
  const arrays = entriesOf<Row>(columns).map(([name, column]) => {
    const [type, read] =
      typeof column === 'string' ? [column, (row: Row) => fieldOf(row, name)] : column
    return new Fragment(['', `::${type}[]`], [list.map((row) => valueOf(type, read(row)))])
  })
  return part`unnest(${commas(arrays)}) as given (${namesOf(columns)})`
}

/** Columns and values of new rows, after `insert into` and the table's name. */
export function newRows<Row extends object, Name extends string>(
  list: readonly Row[],
  columns: Columns<Row, Name>,
): Fragment {
  return part`(${namesOf(columns)}) select * from ${rows(list, columns)}`
}

function namesOf(columns: object): Fragment {
  const names = Object.keys(columns)
  assert(
    names.every((name) => /^[a-z0-9_]+$/.test(name)),
    'columns are named in the source',
  )
  return new Fragment([names.join(', ')], [])
}

const entriesOf = <Row>(columns: object) =>
  Object.entries(columns) as [string, Type | readonly [Type, (row: Row) => unknown]][]

function fieldOf(row: object, name: string): unknown {
  const field = name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
  return (row as Record<string, unknown>)[field]
}

function valueOf(type: Type, value: unknown): SqlValue {
  if (type === 'jsonb') return JSON.stringify(value)
  assert(!Array.isArray(value), 'a column holds one value')
  return (value ?? null) as SqlValue
}
