import { html, type Html } from '#server/kernel/html.ts'
import type { openApiDocument } from './open-api.ts'
import type { JsonSchema } from './open-api-shapes.ts'

type Description = ReturnType<typeof openApiDocument>
type Operation = Description['paths'][string][string]

/** The description for people: each call, then each shape. Works without scripts. */
export function descriptionPage({ info, paths, components }: Description): string {
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, operation]) => html`<h3><code>${method.toUpperCase()} ${path}</code></h3>
<p>${operation.operationId}: ${operation.summary}.</p>
<dl>
<dt>Takes</dt><dd>${takenBy(operation, components.parameters)}</dd>
${answersOf(operation)}</dl>
`,
    ),
  )
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
<h2>Calls</h2>
${calls}<h2>Shapes</h2>
${shapes}</main>
</body>
</html>
`.text
}

/** Its parameters and headers, then the shape of its body. */
function takenBy({ parameters, requestBody }: Operation, parts: Record<string, { name: string }>) {
  const names = parameters.map((parameter) =>
    '$ref' in parameter ? parts[partOf(parameter.$ref)]?.name : parameter.name,
  )
  const bodies = Object.values(requestBody?.content ?? {})
  return html`${names.join(', ')}${bodies.map(({ schema }) => html`, ${shapeOf(schema)}`)}`
}

const answersOf = ({ responses }: Operation): Html[] =>
  Object.entries(responses).map(
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
