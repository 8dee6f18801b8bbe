import { Refusal } from '#core/refusal.ts'
import type { Handler } from '#server/action.ts'
import { throttle } from '#server/security/throttle.ts'

/** The proof of a strategy's figures on the evidence page. */
export const getEvidenceBundle: Handler<'getEvidenceBundle'> = async (
  { evidence, sql },
  { query: { strategy }, client },
) => {
  await throttle(sql, { key: `bundle:${client.address}`, limit: 60, windowSeconds: 60 })
  return found(await evidence.bundle({ strategy }, { owner: 'evidence' }))
}

/** The bundle, or a refusal if there is no evidence yet. */
export function found<Bundle>(bundle: Bundle | null): Bundle {
  if (bundle === null) throw new Refusal('not-found')
  return bundle
}
