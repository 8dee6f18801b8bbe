import type { Handler } from '#server/action.ts'
import { PATIENCE_MS } from './keep-evidence.ts'

/** Waits half as long as others for each of two computations: the evidence, then the guards. */
export const getGuardEvidence: Handler<'getGuardEvidence'> = async ({ evidence }) =>
  evidence.ofGuards(PATIENCE_MS / 2)
