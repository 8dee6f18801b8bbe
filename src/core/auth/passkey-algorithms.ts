/** ES256, EdDSA and RS256, preferred first. Source: IANA COSE Algorithms. */
export const PASSKEY_ALGORITHMS = [-7, -8, -257] as const
