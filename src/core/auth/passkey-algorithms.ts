/**
 * ES256, EdDSA and RS256: what devices offer for passkeys, best first. Source: IANA COSE
 * Algorithms.
 */
export const PASSKEY_ALGORITHMS = [-7, -8, -257] as const
