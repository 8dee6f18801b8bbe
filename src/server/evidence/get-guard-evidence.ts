import type { Handler } from '#server/action.ts'
import { PATIENCE_MS } from './keep-evidence.ts'

/**
 * The cost or the saving of guards in all windows of the evidence, for which both computations
 * together may take the patience of one.
 */
export const getGuardEvidence: Handler<'getGuardEvidence'> = async ({ evidence }) =>
  evidence.ofGuards(PATIENCE_MS / 2)
