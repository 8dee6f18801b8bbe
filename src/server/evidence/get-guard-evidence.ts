import type { Handler } from '#server/action.ts'
import { PATIENCE_MS } from './keep-evidence.ts'

/** Two computations share the time that a request may wait for one. */
export const getGuardEvidence: Handler<'getGuardEvidence'> = async ({ evidence }) =>
  evidence.ofGuards(PATIENCE_MS / 2)
