import type { HelpAnswer } from '#contract/help.ts'
import { balanceAnswer, botsAnswer, depositsAnswer, withdrawalsAnswer } from '#core/help/account-answer.ts'
import type { AccountTopic } from '#core/help/account-question.ts'
import type { Article } from '#core/help/article.ts'
import { SEE_ALSO, SENTENCES } from '#core/help/sentences.ts'
import { understand, type Understanding } from '#core/help/understand.ts'
import type { Call } from '#server/action.ts'
import { readUser } from '#server/auth/get-user.ts'
import { readBots } from '#server/bots/list-bots.ts'
import type { Context } from '#server/context.ts'
import { throttle } from '#server/throttle.ts'
import { readTransactions } from '#server/transactions/list-transactions.ts'
import { readWithdrawals } from '#server/withdrawals/list-withdrawals.ts'

/** Many people may share an address. */
const QUESTIONS_PER_MINUTE = { user: 30, address: 60 }

/** Articles named below an answer. */
const CITATIONS = 3

/** An answer that is settled, or the articles from which one is to be worded. */
type Prepared = { answer: HelpAnswer } | { articles: readonly Article[]; citations: HelpAnswer['citations'] }

/** Understands a question and writes nothing but the throttle's count. Figures come from the ledger and only to whom they belong. */
export async function prepareAnswer(context: Context, { userId, body: { message }, client }: Call<'askHelp'>): Promise<Prepared> {
  const asker = userId === undefined ? 'address' : 'user'
  await throttle(context.sql, { key: `help:${userId ?? client.address}`, limit: QUESTIONS_PER_MINUTE[asker], windowSeconds: 60 })
  const understanding = understand(context.help().index, message)
  const articles = understanding.found.slice(0, CITATIONS).map(({ article }) => article)
  if (understanding.kind === 'article') return { articles, citations: cite(context, articles.map(({ id }) => id)) }
  if (understanding.kind === 'account') {
    const answer = userId === undefined ? SENTENCES.signedOut : await answerFromLedger(context, { userId, topic: understanding.topic })
    return { answer: { kind: 'account', message: answer, citations: cite(context, articles.slice(0, 2).map(({ id }) => id)) } }
  }
  return { answer: answerWithSentence(context, understanding.kind) }
}

const KINDS = { greeting: 'greeting', thanks: 'greeting', advice: 'declined', somebodyElse: 'declined', unknown: 'unknown' } as const

function answerWithSentence(context: Context, kind: Exclude<Understanding['kind'], 'article' | 'account'>): HelpAnswer {
  const name = kind === 'somebody-else' ? 'somebodyElse' : kind
  return { kind: KINDS[name], message: SENTENCES[name], citations: cite(context, SEE_ALSO[name]) }
}

function cite({ help }: Context, ids: readonly string[]): HelpAnswer['citations'] {
  return ids.flatMap((id) => {
    const article = help().articles.get(id)
    return article ? [{ id, title: article.title }] : []
  })
}

async function answerFromLedger({ sql, config }: Context, { userId, topic }: { userId: string; topic: AccountTopic }): Promise<string> {
  const answers: Record<AccountTopic, () => Promise<string>> = {
    balance: async () => balanceAnswer(await readUser(sql, userId)),
    bots: async () => botsAnswer(await readBots(sql, userId)),
    withdrawals: async () => withdrawalsAnswer(await readWithdrawals(sql, userId)),
    deposits: async () => {
      const { items, nextCursor } = await readTransactions(sql, { userId, type: 'deposit', cursor: undefined })
      return depositsAnswer(items, nextCursor !== null)
    },
  }
  const answer = await answers[topic]()
  return config.BOOK === 'paper' ? `${answer}\n\nAll of it is paper money.` : answer
}
