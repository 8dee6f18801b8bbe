import type { Problem, ProofMethod } from '#contract/wire.ts'
import type { ApiError } from '#app/api/call.ts'

/**
 * The methods of proof that a refusal offers. Parsed from its text, to keep the error class small,
 * which every page loads.
 */
export function methodsOf({ logMessage }: ApiError): readonly ProofMethod[] {
  const { methods = [] } = JSON.parse(logMessage.slice(logMessage.indexOf('{'))) as Problem
  return methods
}
