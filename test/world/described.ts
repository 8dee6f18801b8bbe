import type { RouteName } from '#contract/routes.ts'
import { Problem } from '#contract/wire.ts'
import { endpoints, refusalsOf } from '#server/http/open-api-endpoints.ts'

const DESCRIBED = new Map(
  endpoints.map((endpoint) => {
    const codes: ReadonlySet<string> = new Set(refusalsOf(endpoint))
    return [endpoint.name, { status: endpoint.answer.status, codes }]
  }),
)

/** Fails on an answer that the description of the API does not name for its call. */
export function checkDescribed(
  name: RouteName,
  { statusCode, body }: { statusCode: number; body: string },
): void {
  const code = statusCode < 400 ? undefined : Problem.parse(JSON.parse(body)).code
  const described = DESCRIBED.get(name)
  const isKnown = code === undefined ? statusCode === described?.status : described?.codes.has(code)
  if (!isKnown) throw new Error(`${name} answered ${statusCode} ${code}, which is not described`)
}
