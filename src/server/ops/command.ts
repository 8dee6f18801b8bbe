import type { Context } from '#server/context.ts'

/** Returns the lines to print, and whether the command succeeded: the exit code. */
export type Command = (context: Context, words: string[]) => Promise<{ lines: string[]; ok: boolean }>
