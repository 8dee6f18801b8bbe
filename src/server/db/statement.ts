import { assert } from '#core/assert.ts'

/**
 * Statements as tagged templates over `pg`. A value becomes a parameter, `part` makes a part of
 * another statement, `sql('name')` an identifier: nothing is pasted into the text unquoted.
 */
export type SqlValue =
  | string
  | number
  | bigint
  | boolean
  | Date
  | Uint8Array
  | null
  | readonly SqlValue[]

/**
 * A composed statement: a text with $1, $2 … and their values. A text is prepared once per
 * connection, unless it is `simple`.
 */
export type Sent = { text: string; values: unknown[]; simple?: true }

type Row = Record<string, unknown>

/** `count`: rows returned or changed. */
export type Rows<Kind = Row> = Kind[] & { readonly count: number }

export type Queries = {
  <Result extends readonly object[] = Row[]>(
    strings: TemplateStringsArray,
    ...parts: readonly Part[]
  ): Promise<Rows<Result[number]>>
  (identifier: string | readonly string[]): Identifier
  /** Sends a text as it is: several statements are allowed, parameters are not. */
  unsafe<Result extends readonly object[] = Row[]>(text: string): Promise<Rows<Result[number]>>
  readonly send: Send
}

type Send = (sent: Sent) => Promise<Rows>
type Part = SqlValue | Fragment | Identifier

export class Fragment {
  readonly strings: readonly string[]
  readonly parts: readonly Part[]
  constructor(strings: readonly string[], parts: readonly Part[]) {
    this.strings = strings
    this.parts = parts
  }
}

export function part(strings: TemplateStringsArray, ...parts: readonly Part[]): Fragment {
  return new Fragment(strings, parts)
}

export function commas(parts: readonly Fragment[]): Fragment {
  return new Fragment(['', ...parts.slice(1).map(() => ', '), ''], parts)
}

class Identifier {
  readonly quoted: string
  constructor(names: string | readonly string[]) {
    this.quoted = [names]
      .flat()
      .map((name) => `"${name.replaceAll('"', '""')}"`)
      .join(', ')
  }
}

export function queriesOver(send: Send): Queries {
  const template = (
    first: TemplateStringsArray | string | readonly string[],
    ...parts: readonly Part[]
  ) =>
    typeof first !== 'string' && 'raw' in first
      ? send(compose(new Fragment(first, parts)))
      : new Identifier(first)
  const unsafe = (text: string) => send({ text, values: [], simple: true })
  return Object.assign(template, { unsafe, send }) as Queries
}

function compose(fragment: Fragment): Sent {
  const sent = { text: '', values: [] }
  append(sent, fragment)
  return sent
}

function append(sent: Sent, { strings, parts }: Fragment): void {
  for (const [index, text] of strings.entries()) {
    sent.text += text
    if (index < parts.length) appendPart(sent, parts[index])
  }
}

function appendPart(sent: Sent, part: Part | undefined): void {
  assert(part !== undefined, 'a value of a statement is undefined')
  if (part instanceof Fragment) append(sent, part)
  else if (part instanceof Identifier) sent.text += part.quoted
  else sent.text += `$${sent.values.push(part)}`
}
