import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

/** Declarations of the installed client, generated from Stripe's own specification. */
const folder = join(createRequire(import.meta.url).resolve('stripe'), '../../esm')

const declared = (file: string): string => readFileSync(join(folder, file), 'utf8')

/** Every class of an error. */
export const declaredErrors = (): string[] =>
  [...declared('Error.d.ts').matchAll(/declare class (\w+) extends/g)].map(([, name = '']) => name)

/** The classes of version 2, by the type that Stripe's answer gives. */
export const errorsByType = (): Map<string, string> =>
  new Map(
    [...declared('Error.js').matchAll(/case '(\w+)':\s+return new (\w+)\(/g)]
      .filter(([, , name = '']) => !name.startsWith('Stripe'))
      .map(([, type = '', name = '']) => [type, name]),
  )

/** The errors that a call is declared to answer with. */
export function errorsOf(file: string, call: string): string[] {
  const [, comment = ''] =
    new RegExp(String.raw`/\*\*((?:(?!\*/)[\s\S])*)\*/\s+${call}\(`).exec(declared(file)) ?? []
  return [...comment.matchAll(/@throws Stripe\.(\w+)/g)].map(([, name = '']) => name)
}

/** The values of a type of literals, the first of that name after `after`. */
export function valuesOf(file: string, { type, after = '' }: { type: string; after?: string }) {
  const text = declared(file)
  const from = text.indexOf(after)
  const [, union = ''] =
    new RegExp(String.raw`type ${type} = ([^;]+);`).exec(text.slice(from)) ?? []
  return [...union.matchAll(/'([^']+)'/g)].map(([, value = '']) => value)
}

type Fault = string

/** Each property of an emulated object, held against the declared interface of that name. */
export function undeclared(file: string, name: string, emulated: object): Fault[] {
  const text = declared(file)
  const [, body = ''] =
    new RegExp(`export interface ${name} \\{\\n([\\s\\S]*?)\\n\\}`).exec(text) ?? []
  const types = new Map(
    [...body.matchAll(/^ {4}(\w+)\??: (.+);$/gm)].map(([, key = '', type = '']) => [key, type]),
  )
  return Object.entries(emulated).flatMap(([key, value]): Fault[] => {
    const type = types.get(key)
    if (type === undefined) return [`${name}.${key} is not declared`]
    return fits(value, { type, file, name })
      ? []
      : [`${name}.${key} is ${JSON.stringify(value)}, not ${type}`]
  })
}

type Type = { type: string; file: string; name: string }

function fits(value: unknown, { type, file, name }: Type): boolean {
  if (value === null) return /\bnull\b/.test(type)
  if (Array.isArray(value)) return /Array</.test(type)
  if (typeof value === 'object') return /^[A-Z]|\| [A-Z]|\{/.test(type)
  if (typeof value !== 'string') return type.includes(typeof value)
  if (/\bstring\b/.test(type) || type.includes(`'${value}'`)) return true
  const [, own = ''] = new RegExp(`${name}\\.(\\w+)`).exec(type) ?? []
  return valuesOf(file, { type: own, after: `declare namespace ${name} {` }).includes(value)
}
