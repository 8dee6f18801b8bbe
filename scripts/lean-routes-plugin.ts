import type { Plugin } from 'vite'
import { routes, type Route } from '../src/contract/routes.ts'

/**
 * The table as the app carries it, without the columns that only the server reads: a line for each
 * method, with the names and paths of its calls. Sorted, they compress better.
 */
const METHODS: readonly Route['method'][] = ['GET', 'POST', 'PATCH', 'DELETE']
const LINES = METHODS.map((method) => [method, ...callsOf(method)].join()).join('\n')

const LEAN = `export const routes = Object.fromEntries(${JSON.stringify(LINES)}.split('\\n').flatMap((line) => {
  const [method, ...calls] = line.split(',')
  return calls.map((call) => {
    const [name, path] = call.split(' ')
    return [name, { method, path: '/api/' + path }]
  })
}))`

function callsOf(method: Route['method']): string[] {
  return Object.entries(routes)
    .filter(([, route]) => route.method === method)
    .map(([name, { path }]) => `${name} ${path.replace(/^\/api\//, '')}`)
    .toSorted()
}

/**
 * Writes the table of routes in a shorter way into the app: every page carries it before anything
 * else.
 */
export function leanRoutes(): Plugin {
  return {
    name: 'lean-routes',
    apply: 'build',
    enforce: 'pre',
    transform(code, id) {
      if (!id.endsWith('/src/contract/routes.ts')) return undefined
      const lean = code.replace(
        /^export const routes = \{$.*?^\} as const satisfies Record<string, Route>$/ms,
        () => LEAN,
      )
      return lean === code
        ? this.error('the table of routes is written in another way')
        : { code: lean, map: null }
    },
  }
}
