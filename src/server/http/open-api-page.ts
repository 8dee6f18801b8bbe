import { html, type Html } from '#server/kernel/html.ts'
import type { openApiDocument } from './open-api.ts'
import type { JsonSchema } from './open-api-shapes.ts'

type Description = ReturnType<typeof openApiDocument>
type Operation = Description['paths'][string][string]

/** The description for people: each call, then each shape. Works without scripts. */
export function descriptionPage({ info, paths, components }: Description): string {
  const calls = callsOf(paths, components.parameters)
  const shapes = Object.entries(components.schemas).map(
    ([name, shape]) => html`<h3 id="${name}">${name}</h3>
<pre>${JSON.stringify(shape, null, 1)}</pre>
`,
  )
  return html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${info.title}: API</title>
<style>
:root { color-scheme: light dark }
body { max-width: 50rem; margin: auto; padding: 1rem; font: 1rem/1.5 system-ui, sans-serif;
  overflow-wrap: anywhere }
h3 { margin-top: 2rem }
dl { display: grid; grid-template-columns: 4rem 1fr }
dt { font-weight: 600 }
dd { margin: 0 }
pre { white-space: pre-wrap }
</style>
</head>
<body>
<main>
<h1>${info.title}: API</h1>
<p>${info.description}</p>
<p>A program that does not ask for HTML gets this as OpenAPI 3.1, from the same address.</p>
${calls}<h2>Shapes</h2>
${shapes}</main>
</body>
</html>
`.text
}

/**
 * A list of all calls, the refusals that most of them share, then each call with its other
 * refusals.
 */
function callsOf(
  paths: Description['paths'],
  parameters: Description['components']['parameters'],
): Html {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      address: `${method.toUpperCase()} ${path}`,
    })),
  )
  const common = refusalsOfMost(operations)
  const index = operations.map(
    ({
      operationId,
      summary,
    }) => html`<li><a href="#${operationId}">${operationId}</a>: ${summary}</li>
`,
  )
  const calls = operations.map((operation) => {
    const { operationId, address, summary, responses } = operation
    return html`<h3 id="${operationId}"><code>${address}</code></h3>
<p>${operationId}: ${summary}.</p>
<dl>
<dt>Takes</dt><dd>${takenBy(operation, parameters)}</dd>
${answersOf(Object.entries(responses).filter((answer) => !common.has(keyOf(answer))))}</dl>
`
  })
  return html`<h2>Calls</h2>
<ul>
${index}</ul>
<p>Most calls may also be refused with:</p>
<dl>
${answersOf([...common.values()])}</dl>
${calls}`
}

/** The call's parameters and headers, then the shape of its body. */
function takenBy({ parameters, requestBody }: Operation, parts: Record<string, { name: string }>) {
  const names = parameters.map((parameter) =>
    '$ref' in parameter ? parts[partOf(parameter.$ref)]?.name : parameter.name,
  )
  const bodies = Object.values(requestBody?.content ?? {})
  return html`${names.join(', ')}${bodies.map(({ schema }) => html`, ${shapeOf(schema)}`)}`
}

type Answer = [status: string, answer: Operation['responses'][string]]

const keyOf = (answer: Answer): string => JSON.stringify(answer)

/** Refusals that more than half of the calls share, by status. */
function refusalsOfMost(operations: readonly Operation[]): Map<string, Answer> {
  const counts = new Map<string, number>()
  const all = operations.flatMap(({ responses }) => Object.entries(responses))
  for (const answer of all) counts.set(keyOf(answer), (counts.get(keyOf(answer)) ?? 0) + 1)
  const isOfMost = (answer: Answer) => (counts.get(keyOf(answer)) ?? 0) > operations.length / 2
  return new Map(
    all
      .filter((answer) => Number(answer[0]) >= 400 && isOfMost(answer))
      .map((answer) => [keyOf(answer), answer]),
  )
}

const answersOf = (answers: readonly Answer[]): Html[] =>
  answers.map(
    ([status, answer]) => html`<dt>${status}</dt><dd>${answerOf(answer)}</dd>
`,
  )

function answerOf(answer: Operation['responses'][string]) {
  if ('$ref' in answer) return partOf(answer.$ref).replaceAll('.', ', ')
  const { description, content } = answer
  if (content === undefined) return description
  return Object.entries(content).map(([type, { schema }]) => html`${shapeOf(schema)} (${type})`)
}

const partOf = (ref: string): string => ref.split('/').at(-1) ?? ''

function shapeOf({ $ref, items, type }: JsonSchema): Html {
  if ($ref !== undefined) return html`<a href="#${partOf($ref)}">${partOf($ref)}</a>`
  return typeof items === 'object'
    ? html`array of ${shapeOf(items as JsonSchema)}`
    : html`${String(type)}`
}
