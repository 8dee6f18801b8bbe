import type { Handler } from '#server/action.ts'
import { PATIENCE_MS } from './keep-evidence.ts'

/** Waits for two computations, which together may take the patience of one. */
export const getGuardEvidence: Handler<'getGuardEvidence'> = async ({ evidence }) =>
  evidence.ofGuards(PATIENCE_MS / 2)
