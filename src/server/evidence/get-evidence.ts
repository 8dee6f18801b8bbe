import type { Handler } from '#server/action.ts'

/** Whoever asks while the evidence is being computed waits for it, below the time after which the server excuses itself. */
const PATIENCE_MS = 8_000

export const getEvidence: Handler<'getEvidence'> = async ({ evidence }) => evidence.soon(PATIENCE_MS)
