import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { evidenceSources } from '#server/evidence/evidence-sources.ts'
import { madeOf, readShippedEvidence, SHIPPED_EVIDENCE } from '#server/evidence/shipped-evidence.ts'
import { defaultGiven } from '../../scripts/evidence-text.ts'

/** The inputs of the shipped evidence: a quick test, so that no change of a source is missed. */

test('shipped evidence matches candles, rules and costs; if not: npm run evidence', () => {
  expect(readShippedEvidence().madeOf).toEqual(madeOf(defaultGiven()))
  expect(readFileSync(SHIPPED_EVIDENCE).length, 'it stays small').toBeLessThan(50_000)
})

test('the hashed rules are exactly the files that the computation imports', () => {
  const paths = evidenceSources().map(({ path }) => path)
  for (const path of [
    'core/strategy/trend.ts',
    'core/pool/lot.ts',
    'core/bots/savings-plan.ts',
    'core/luck/holdout.ts',
    'core/guards/guard-settings.ts',
    'server/evidence/trial-register.ts',
    'server/evidence/treasury-bills.ts',
  ])
    expect(paths).toContain(path)
  for (const path of [
    'core/money/cents.ts',
    'server/evidence/keep-evidence.ts',
    'contract/evidence.ts',
  ])
    expect(paths).not.toContain(path)
})
