import { z } from 'zod'
import { accessOf } from '#contract/access.ts'
import { routes, type Route, type RouteName } from '#contract/routes.ts'
import { schemas, type RouteSchemas } from '#contract/schemas.ts'
import { Problem } from '#contract/wire.ts'

const inputOf = (schema: z.ZodType) =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', target: 'draft-2020-12' })
const json = (schema: unknown) => ({ 'application/json': { schema } })
const eventStream = (schema: unknown) => ({ 'text/event-stream': { schema } })

/** OpenAPI 3.1, generated from the tables that the server runs on. */
export function openApiDocument(): unknown {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const name of Object.keys(routes) as RouteName[]) {
    const route: Route = routes[name]
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = {
      ...paths[path],
      [route.method.toLowerCase()]: operation(name, route, schemas[name]),
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Trading Bot',
      version: '1',
      description: 'Amounts are decimal strings. Errors are {code, message, field?}.',
    },
    components: { securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: 'sid' } } },
    paths,
  }
}

function operation(
  name: RouteName,
  { path, streams }: Route,
  { query, body, response, status }: RouteSchemas,
): unknown {
  const pathParameters = [...path.matchAll(/:(\w+)/g)].map(([, key]) => ({
    name: key,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
  const access = accessOf[name]
  const content = streams ? eventStream : json
  return {
    operationId: name,
    ...((access === 'user' || access === 'session') && { security: [{ session: [] }] }),
    parameters: [...pathParameters, ...(query ? queryParameters(query) : [])],
    ...(body && { requestBody: { required: true, content: json(inputOf(body)) } }),
    responses: {
      [status ?? 200]: {
        description: 'Done',
        content: content(z.toJSONSchema(response, { unrepresentable: 'any' })),
      },
      default: { description: 'Refused', content: json(z.toJSONSchema(Problem)) },
    },
  }
}

function queryParameters(query: z.ZodType): unknown[] {
  const { properties = {} } = inputOf(query)
  return Object.entries(properties).map(([key, schema]) => ({
    name: key,
    in: 'query',
    required: false,
    schema,
  }))
}
