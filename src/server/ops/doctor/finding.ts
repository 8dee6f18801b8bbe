/** `ok`: the subject is in order. The message of any other state names the remedy. */
export type Verdict = { state: 'ok' | 'missing' | 'wrong'; message: string }
export type Finding = Verdict & { about: string }

export const ok = (message: string): Verdict => ({ state: 'ok', message })
export const missing = (message: string): Verdict => ({ state: 'missing', message })
export const wrong = (message: string): Verdict => ({ state: 'wrong', message })

/** Undefined if the subject is not examined in this configuration. */
type Verdicts = Verdict | readonly Verdict[] | undefined

export type Checks<Input> = Record<string, (input: Input) => Verdicts | Promise<Verdicts>>

export const named = (verdicts: Record<string, Verdicts>): Finding[] =>
  Object.entries(verdicts).flatMap(([about, found = []]) =>
    [found].flat().map((verdict) => ({ about, ...verdict })),
  )

export async function runChecks<Input>(checks: Checks<Input>, input: Input): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const [about, check] of Object.entries(checks))
    findings.push(...named({ [about]: await check(input) }))
  return findings
}

export const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replaceAll(/\s+/g, ' ').slice(0, 160)
