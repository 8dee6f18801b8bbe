import type { Handler } from '#server/action.ts'
import { PATIENCE_MS } from './keep-evidence.ts'

export const getEvidence: Handler<'getEvidence'> = async ({ evidence }) =>
  evidence.soon(PATIENCE_MS)
