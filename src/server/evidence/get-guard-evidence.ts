import type { Handler } from '#server/action.ts'
import { PATIENCE_MS } from './keep-evidence.ts'

/** Waits for two computations, together at most as long as for one. */
export const getGuardEvidence: Handler<'getGuardEvidence'> = async ({ evidence }) =>
  evidence.ofGuards(PATIENCE_MS / 2)
