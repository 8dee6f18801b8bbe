import { writeFileSync } from 'node:fs'
import { SHIPPED_EVIDENCE } from '#server/evidence/shipped-evidence.ts'
import { rangeModelTexts } from '#server/evidence/range-model-files.ts'
import { RANGE_SCORES } from '#server/market/next-day.ts'
import { RANGE_MODELS } from '#server/market/forecast-at.ts'
import { evidenceText } from './evidence-text.ts'

/**
 * `npm run evidence`: writes data/evidence/shipped.json, the evidence of the shipped candles, and
 * data/models, the range models trained on them with their scores. Needed after a change of the
 * candles or of the rules.
 */

writeFileSync(SHIPPED_EVIDENCE, evidenceText())

const { models, scores } = rangeModelTexts()
writeFileSync(RANGE_MODELS, models)
writeFileSync(RANGE_SCORES, scores)
