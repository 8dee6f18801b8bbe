import { Refusal } from '#core/refusal.ts'
import type { Context } from '#server/context.ts'
import type { Operator, OperatorContext } from '#server/operators/operator.ts'

export type CommandResult = { lines: string[]; ok: boolean }

/** A command of a signed-in operator. It must start with `permit`. */
export type Command = (context: OperatorContext, words: string[]) => Promise<CommandResult>

/** A command that needs no operator: it runs by itself every day, or before any operator exists. */
export type UnattendedCommand = (
  context: Context & { operator?: Operator | undefined },
  words: string[],
) => Promise<CommandResult>

export const done = (...lines: string[]): CommandResult => ({ lines, ok: true })

export const refusal = (sentence: string): Refusal => new Refusal('invalid-input', { sentence })
