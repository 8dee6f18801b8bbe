import { required } from '#core/assert.ts'
import { PERFORMANCE_FEE_BPS } from '#core/trading/performance-fee.ts'
import type { EvidenceFigures, GuardFigures } from '#contract/evidence.ts'
import { computations } from '#server/compute/computations.ts'
import { costsOf, readConfig } from '#server/settings/config.ts'
import { madeOf, ShippedEvidence, type EvidenceGiven } from '#server/evidence/shipped-evidence.ts'
import { recordedFiles } from '#server/market/recorded-candles.ts'

/** The candles that come with the product, at the costs of an installation that sets nothing. */
export function defaultGiven(): EvidenceGiven {
  const config = readConfig({ SESSION_SECRET: 'x'.repeat(32) })
  const costs = costsOf(config, config.EXCHANGE)
  return {
    files: recordedFiles(),
    costs,
    feeBps: PERFORMANCE_FEE_BPS,
    holdFeeBps: config.HOLD_FEE_BPS,
    yieldBps: config.CASH_YIELD_BPS,
  }
}

/** Computes the evidence of the shipped candles. */
export function defaultEvidence(): EvidenceFigures {
  const { files, ...money } = defaultGiven()
  return required(
    computations.evidence({ markets: files, ...money }),
    'evidence of the candles that ship',
  )
}

function defaultGuards(): GuardFigures {
  const { files, ...money } = defaultGiven()
  return required(
    computations.guardEvidence({ markets: files, ...money }),
    'guards on the candles that ship',
  )
}

/** The text of data/evidence/shipped.json: a line for each part. */
export function evidenceText(): string {
  const { engineVersion: _version, ...evidence } = defaultEvidence()
  const parts: ShippedEvidence = {
    format: 'evidence 1',
    madeOf: madeOf(defaultGiven()),
    evidence,
    guards: defaultGuards(),
  }
  const lines = Object.entries(ShippedEvidence.parse(parts)).map(
    ([name, part]) => `${JSON.stringify(name)}: ${JSON.stringify(part)}`,
  )
  return `{\n${lines.join(',\n')}\n}\n`
}
