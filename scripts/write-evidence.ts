import { writeFileSync } from 'node:fs'
import { SHIPPED_EVIDENCE } from '#server/evidence/shipped-evidence.ts'
import { evidenceText } from './evidence-text.ts'

/**
 * Writes data/evidence/shipped.json, the evidence of the candles that come with the product: `npm
 * run evidence`, after a change of them or of the rules.
 */

writeFileSync(SHIPPED_EVIDENCE, evidenceText())
