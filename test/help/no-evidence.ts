import type { Evidence } from '#contract/evidence.ts'

/** For a library whose past results do not matter. */
export const NO_EVIDENCE = (): Evidence => ({
  state: 'none',
  feedLabel: '',
  disclaimer: '',
  sentence: '',
})
