import type { Context } from '#server/context.ts'

/** A command answers its lines and whether all is well. */
export type Command = (context: Context, words: string[]) => Promise<{ lines: string[]; ok: boolean }>
