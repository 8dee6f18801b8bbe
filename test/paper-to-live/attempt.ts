import { Refusal } from '#core/refusal.ts'
import { sentenceOf } from '#contract/problem.ts'
import type { Copy } from './books.ts'

/**
 * An attempt to turn paper into real money. `carryOut` really tries it, and its result or error
 * must match `refused`.
 */
export type Attempt = { deed: string; carryOut: (copy: Copy) => Promise<string>; refused: RegExp }

type Written = {
  deed: string
  /** Statements that a superuser sends. */
  rows: string | ((copy: Copy) => string)
  /** The next act, by default a start. */
  follows?: (copy: Copy) => Promise<string>
  refused: RegExp
}

export const starts = (copy: Copy): Promise<string> => copy.start()
export const paysOut = (copy: Copy): Promise<string> => copy.payOut()
export const reconciles = (copy: Copy): Promise<string> => copy.reconcile()

/**
 * Rows that are written while the triggers are on, as by anybody with the password of the database.
 */
export const written = ({ rows, follows = starts, ...attempt }: Written): Attempt => ({
  ...attempt,
  carryOut: async (copy) => {
    await copy.asSuperuser(textOf(rows, copy))
    return follows(copy)
  },
})

/** Rows that are written with every trigger off, as only a superuser can. */
export const forced = ({ rows, follows = starts, ...attempt }: Written): Attempt => ({
  ...attempt,
  carryOut: async (copy) => {
    await copy.pastTriggers(textOf(rows, copy))
    return follows(copy)
  },
})

const textOf = (rows: Written['rows'], copy: Copy): string =>
  typeof rows === 'string' ? rows : rows(copy)

/** A refusal's sentence, or the constraint by which PostgreSQL refused. */
export function refusalText(error: unknown): string {
  if (error instanceof Refusal) return sentenceOf(error)
  if (error instanceof Error && 'constraint' in error && typeof error.constraint === 'string')
    return `PostgreSQL refuses: ${error.constraint}`
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
}
