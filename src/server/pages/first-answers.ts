import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RouteName } from '#contract/routes.ts'
import { schemas } from '#contract/schemas.ts'
import { Refusal } from '#core/refusal.ts'
import type { Handler } from '#server/action.ts'
import { sessionControl } from '#server/auth/session.ts'
import type { Context } from '#server/context.ts'
import { handlers } from '#server/http/handlers.ts'
import { clientOf } from '#server/http/register-routes.ts'
import { isId } from '#server/ids.ts'

/** Answers that a page carries, by the app's query key, its parts joined with slashes. */
export type FirstAnswers = Record<string, unknown>

type Asker = { context: Context; request: FastifyRequest; reply: FastifyReply; userId: string | undefined }
type Question = { key: string; read: (asker: Asker) => Promise<unknown> }

/** Asks the very action that answers the call, of the user whose session it is. What it says is checked against the contract. */
function ask(name: RouteName, { key = name, params, query = {} }: { key?: string; params?: object; query?: object } = {}): Question {
  const handler = handlers[name] as Handler<RouteName>
  return {
    key,
    read: async ({ context, request, reply, userId }) => {
      const call = { params, query, userId, client: clientOf(request), idempotencyKey: undefined, session: sessionControl(context, { request, reply }) }
      return schemas[name].response.parse(await handler(context, call as unknown as Parameters<typeof handler>[1]))
    },
  }
}

/** Only where it is known already: who asks by itself waits for it, a page does not. */
const EVIDENCE: Question = {
  key: 'getEvidence',
  read: async ({ context }) => {
    const evidence = context.evidence.now()
    return evidence.state === 'computing' ? undefined : evidence
  },
}

const PRICES = ask('getPrices')
const PORTFOLIO = ask('getPortfolio', { key: 'getPortfolio/1M', query: { range: '1M' } })

const SIGNED_IN: Record<string, readonly Question[]> = {
  '/': [PORTFOLIO, PRICES],
  '/withdraw': [ask('listBankAccounts'), ask('listWithdrawals'), ask('getWithdrawalTerms')],
  '/bot-config': [PORTFOLIO, PRICES, EVIDENCE],
  '/history': [ask('listTransactions', { key: 'listTransactions/all' })],
  '/profile': [ask('listSessions'), ask('listWallets')],
  '/evidence': [EVIDENCE],
}

const SIGNED_OUT: Record<string, readonly Question[]> = {
  '/': [EVIDENCE, ask('getSampleBot')],
  '/signup': [EVIDENCE],
  '/evidence': [EVIDENCE],
}

const CONFIG = ask('getConfig')

/** What the screen at `path` asks for first. What cannot be read is left out: the screen asks for it, and says what is the matter. */
export async function readFirstAnswers(given: Omit<Asker, 'userId'>, path: string): Promise<FirstAnswers> {
  const user = await readUser(given)
  const asker = { ...given, userId: user?.id }
  const questions = [CONFIG, ...questionsOf(path, user !== null)]
  const answers = await Promise.all(questions.map(async (question) => [question.key, await readOrLeave(question, asker)] as const))
  return { getUser: user, ...Object.fromEntries(answers.filter(([, answer]) => answer !== undefined)) }
}

async function readUser({ context, request, reply }: Omit<Asker, 'userId'>): Promise<{ id: string } | null> {
  try {
    const user = await ask('getUser').read({ context, request, reply, userId: undefined })
    return user as { id: string }
  } catch (error) {
    if (error instanceof Refusal && error.code === 'not-signed-in') return null
    throw error
  }
}

function questionsOf(path: string, isSignedIn: boolean): readonly Question[] {
  const place = path.length > 1 ? path.replace(/\/$/, '') : path
  if (!isSignedIn) return SIGNED_OUT[place] ?? []
  const id = /^\/bot-config\/([^/]+)$/.exec(place)?.[1]
  if (id === undefined) return SIGNED_IN[place] ?? []
  if (!isId(id)) return []
  const bot = { params: { id } }
  return [ask('getBotPerformance', { key: `getBotPerformance/${id}`, ...bot }), ask('listBotTrades', { key: `listBotTrades/${id}`, ...bot })]
}

async function readOrLeave({ key, read }: Question, asker: Asker): Promise<unknown> {
  try {
    return await read(asker)
  } catch (error) {
    if (!(error instanceof Refusal)) asker.context.log.error(error, `a page was sent without ${key}`)
    return undefined
  }
}
