import type { Evidence } from '#contract/evidence.ts'

/** Evidence for a library in tests that ignore past results. */
export const NO_EVIDENCE = (): Evidence => ({
  state: 'none',
  feedLabel: '',
  disclaimer: '',
  sentence: '',
})
