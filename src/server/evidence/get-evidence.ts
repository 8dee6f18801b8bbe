import type { Handler } from '#server/action.ts'

/** A request waits this long for evidence that is being computed: less than the server's limit for a response. */
export const PATIENCE_MS = 8_000

export const getEvidence: Handler<'getEvidence'> = async ({ evidence }) => evidence.soon(PATIENCE_MS)
