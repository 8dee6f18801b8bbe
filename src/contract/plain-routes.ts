import { EVENTS, LOGIN_REDIRECT } from './routes.ts'

/** Routes with other answers than JSON, and routes for other programs. */
export const plainRoutes = {
  loginRedirect: LOGIN_REDIRECT,
  events: EVENTS,
  statement: '/api/statement.csv',
  trades: '/api/trades.csv',
  year: '/api/year.csv',
  tax: '/api/tax.csv',
  myData: '/api/my-data.json',
  openApi: '/api/docs',
  unsubscribe: '/api/unsubscribe/:token',
  mcp: '/api/mcp',
} as const

export type PlainName = keyof typeof plainRoutes
