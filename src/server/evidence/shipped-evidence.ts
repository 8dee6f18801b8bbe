import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { EvidenceFigures, GuardFigures } from '#contract/evidence.ts'
import type { TradingCosts } from '#core/trading/costs.ts'
import type { CandleFile } from '#server/ports/compute.ts'
import { engineVersion } from './engine-version.ts'
import { evidenceSources } from './evidence-sources.ts'
import { REGISTER_FILE } from './trial-register.ts'
import { readTreasuryBills } from './treasury-bills.ts'

/** The evidence of the shipped candles at default costs, written by `npm run evidence`. */
export const SHIPPED_EVIDENCE = join(import.meta.dirname, '../../../data/evidence/shipped.json')

const Bps = z.number().int()

/**
 * Everything that determines the figures: hashes of the candle files by pair, and one hash of the
 * code, the register of trials and the rates of cash.
 */
const MadeOf = z.strictObject({
  candles: z.record(z.string(), z.string()),
  rules: z.string(),
  costsBps: z.strictObject({ fee: Bps, halfSpread: Bps, slippage: Bps }),
  feeBps: Bps,
  holdFeeBps: Bps,
  yieldBps: Bps,
})

/** Shipped evidence. The engine's version is left out: the same code has the same figures. */
export const ShippedEvidence = z.strictObject({
  format: z.literal('evidence 1'),
  madeOf: MadeOf,
  evidence: EvidenceFigures.omit({ engineVersion: true }),
  guards: GuardFigures,
})
export type ShippedEvidence = z.infer<typeof ShippedEvidence>

/** `files`: of the candles. */
export type EvidenceGiven = {
  files: readonly CandleFile[]
  costs: TradingCosts
  feeBps: number
  holdFeeBps: number
  yieldBps: number
}

export function madeOf({
  files,
  costs,
  feeBps,
  holdFeeBps,
  yieldBps,
}: EvidenceGiven): ShippedEvidence['madeOf'] {
  const sources = evidenceSources().map(({ path, text }) => `${path} ${sha256(text)}`)
  return {
    candles: Object.fromEntries(files.map(({ pair, file }) => [pair, sha256(readFileSync(file))])),
    rules: sha256(
      [...sources, readTreasuryBills().sha256, sha256(readFileSync(REGISTER_FILE))].join('\n'),
    ),
    costsBps: { fee: costs.feeBps, halfSpread: costs.halfSpreadBps, slippage: costs.slippageBps },
    feeBps,
    holdFeeBps,
    yieldBps,
  }
}

/** Undefined if the shipped evidence was made from other inputs. */
export function shippedFor(given: EvidenceGiven): Ready | undefined {
  if (given.files.length === 0 || !existsSync(SHIPPED_EVIDENCE)) return undefined
  const shipped = readShippedEvidence()
  return isDeepStrictEqual(shipped.madeOf, madeOf(given)) ? shipped : undefined
}

type Ready = Omit<ShippedEvidence, 'evidence'> & { evidence: EvidenceFigures }

/** Throws `ZodError` or `SyntaxError` if the file was altered. */
export function readShippedEvidence(): Ready {
  const shipped = ShippedEvidence.parse(JSON.parse(readFileSync(SHIPPED_EVIDENCE, 'utf8')))
  return { ...shipped, evidence: { ...shipped.evidence, engineVersion: engineVersion() } }
}

function sha256(bytes: string | Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
