import type { Page, Route } from 'playwright-core'
import { becomes, steps, type Check } from './checks.ts'

/** A call as the specification names it: 'POST /api/simulate-bot-trade/{id}'. */
type Call = `${'GET' | 'POST' | 'PATCH' | 'DELETE'} /api/${string}`
type Meeting = (route: Route) => Promise<unknown>

/**
 * Replacements for the server's answers, by call. Routing is set up once for a page: browsers lose
 * requests while it changes.
 */
const meetings = new WeakMap<Page, Map<Call, Meeting>>()

async function meetingsOf(page: Page): Promise<Map<Call, Meeting>> {
  const known = meetings.get(page)
  if (known) return known
  const made = new Map<Call, Meeting>()
  meetings.set(page, made)
  await page.route('**/api/**', async (route) => {
    const [, meeting] = [...made].find(([call]) => isCall(route, call)) ?? []
    await (meeting ? meeting(route) : route.continue())
  })
  return made
}

function isCall(route: Route, call: Call): boolean {
  const [method, path = ''] = call.split(' ')
  const pattern = new RegExp(
    `^${path.replaceAll(/[.]/g, String.raw`\.`).replaceAll(/\{\w+\}/g, '[^/]+')}$`,
  )
  return (
    route.request().method() === method && pattern.test(new URL(route.request().url()).pathname)
  )
}

async function whileMeeting(
  page: Page,
  { call, meeting, checks }: { call: Call; meeting: Meeting; checks: readonly Check[] },
): Promise<void> {
  const all = await meetingsOf(page)
  all.set(call, meeting)
  await steps(...checks)(page).finally(() => all.delete(call))
}

/** While `call` gets this answer, these checks hold. */
export const answering = (
  call: Call,
  answer: { status?: number; json?: unknown; body?: string },
  ...checks: readonly Check[]
): Check => {
  return (page) => whileMeeting(page, { call, meeting: (route) => route.fulfill(answer), checks })
}

/** While `call` cannot be reached, these checks hold. */
export const unreachable = (call: Call, ...checks: readonly Check[]): Check => {
  return (page) => whileMeeting(page, { call, meeting: (route) => route.abort(), checks })
}

/**
 * `act` makes `call`, and these checks hold until it is answered; afterwards the call goes to the
 * server. They start only once the call has been sent: a screen may show that it is waiting a
 * moment earlier.
 */
export const holding = (call: Call, act: Check, ...checks: readonly Check[]): Check => {
  return async (page) => {
    let isAsked = false
    let letGo = (): void => undefined
    const over = new Promise<void>((resolve) => (letGo = resolve))
    const meeting = async (route: Route) => {
      isAsked = true
      await over
      await route.continue()
    }
    const onItsWay: Check = () => becomes(() => isAsked, true)
    await whileMeeting(page, { call, meeting, checks: [act, onItsWay, ...checks] }).finally(letGo)
  }
}

/** A server error without a specific message. */
export const FAULT = {
  status: 500,
  json: { code: 'internal', message: 'Something went wrong on our side. Your money is safe.' },
}
