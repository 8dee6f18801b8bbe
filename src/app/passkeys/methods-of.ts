import type { Problem, ProofMethod } from '#contract/wire.ts'
import type { ApiError } from '#app/api/call.ts'

/**
 * The ways to prove who asks that a refusal names. Read from its text, so that the error on every
 * page need not know of them.
 */
export function methodsOf({ logMessage }: ApiError): readonly ProofMethod[] {
  const { methods = [] } = JSON.parse(logMessage.slice(logMessage.indexOf('{'))) as Problem
  return methods
}
