import type { Plugin } from 'vite'
import { routes } from '../src/contract/routes.ts'

/** The table as the app carries it: a line for each call, without the columns that only the server reads. GET goes without saying; sorted, they compress better. */
const LINES = Object.entries(routes).map(([name, { method, path }]) => [name, path.replace(/^\/api\//, ''), ...(method === 'GET' ? [] : [method])].join(' ')).toSorted().join('\n')

const LEAN = `export const routes = Object.fromEntries(${JSON.stringify(LINES)}.split('\\n').map((line) => {
  const [name, path, method = 'GET'] = line.split(' ')
  return [name, { method, path: '/api/' + path }]
}))`

/** Writes the table of routes in a shorter way into the app: every page carries it before anything else. */
export function leanRoutes(): Plugin {
  return {
    name: 'lean-routes',
    apply: 'build',
    enforce: 'pre',
    transform(code, id) {
      if (!id.endsWith('/src/contract/routes.ts')) return undefined
      const lean = code.replace(/^export const routes = \{$.*?^\} as const satisfies Record<string, Route>$/ms, () => LEAN)
      return lean === code ? this.error('the table of routes is written in another way') : { code: lean, map: null }
    },
  }
}
