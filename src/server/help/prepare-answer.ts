import type { HelpAnswer } from '#contract/help.ts'
import { required } from '#core/assert.ts'
import type { Article } from '#core/help/article.ts'
import type { AccountTopic, Tongue } from '#core/help/tongue.ts'
import { understandIn, type Understanding } from '#core/help/understand.ts'
import { language, LANGUAGES } from '#words/language.ts'
import { say, t, msg } from '#words/words.ts'
import type { Call } from '#server/action.ts'
import { readUser } from '#server/auth/get-user.ts'
import { readBots } from '#server/bots/list-bots.ts'
import type { Context } from '#server/context.ts'
import { inLanguage } from '#server/kernel/in-language.ts'
import { supportOf } from '#server/settings/settings.ts'
import { throttle } from '#server/security/throttle.ts'
import { readTransactions } from '#server/transactions/list-transactions.ts'
import { readWithdrawals } from '#server/withdrawals/list-withdrawals.ts'
import { balanceAnswer, botsAnswer, depositsAnswer, withdrawalsAnswer } from './account-answer.ts'

/** The limit per address is higher, because many users may share an IP address. */
const QUESTIONS_PER_MINUTE = { user: 30, address: 60 }

const LANGUAGE_ARTICLE = 'language'

const CITATIONS = 3

type Prepared =
  | { answer: HelpAnswer }
  | { articles: readonly Article[]; tongue: Tongue; citations: HelpAnswer['citations'] }

/**
 * Threat: another user's figures. Reads only the user's own, and writes only the throttle's count.
 */
export async function prepareAnswer(
  context: Context,
  { userId, body: { message }, client }: Call<'askHelp'>,
): Promise<Prepared> {
  const asker = userId === undefined ? 'address' : 'user'
  await throttle(context.sql, {
    key: `help:${userId ?? client.address}`,
    limit: QUESTIONS_PER_MINUTE[asker],
    windowSeconds: 60,
  })
  const { article: read, outside, indexes: build } = context.help()
  const indexes = await build(message)
  const { index, understanding } = understandIn(indexes, message)
  const articles = understanding.found
    .slice(0, CITATIONS)
    .map((article) => read(article.id) ?? article)
  if (understanding.kind === 'article')
    return {
      articles,
      tongue: indexes[0].tongue,
      citations: citeInBoth(context, {
        ids: articles.map(({ id }) => id),
        isOther: index !== indexes[0],
      }),
    }
  if (understanding.kind === 'account') {
    const answer =
      userId === undefined
        ? say(FIXED_ANSWERS.signedOut)
        : await answerFromLedger(context, { userId, topic: understanding.topic })
    return {
      answer: {
        kind: 'account',
        message: answer,
        citations: cite(
          context,
          articles.slice(0, 2).map(({ id }) => id),
        ),
      },
    }
  }
  if (understanding.kind !== 'off-product')
    return { answer: fixedAnswer(context, understanding.kind) }
  const { subject } = understanding
  return {
    answer: {
      kind: 'unknown',
      message: outside.get(subject)?.body ?? say(FIXED_ANSWERS.unknown),
      citations: cite(context, SEE_INSTEAD[subject] ?? []),
    },
  }
}

const KINDS = {
  greeting: 'greeting',
  thanks: 'greeting',
  advice: 'declined',
  somebodyElse: 'declined',
  unknown: 'unknown',
} as const

function fixedAnswer(
  context: Context,
  kind: Exclude<Understanding['kind'], 'article' | 'account' | 'off-product'>,
): HelpAnswer {
  const name = kind === 'somebody-else' ? 'somebodyElse' : kind
  const support = name === 'unknown' ? supportOf(context.config) : null
  const contact = support
    ? ` ${t('You can also contact support at {address}; include your username.', support)}`
    : ''
  return {
    kind: KINDS[name],
    message: `${say(FIXED_ANSWERS[name])}${contact}`,
    citations: cite(context, SEE_ALSO[name]),
  }
}

function cite({ help }: Context, ids: readonly string[]): HelpAnswer['citations'] {
  return ids.flatMap((id) => {
    const article = help().article(id)
    return article ? [{ id, title: article.title }] : []
  })
}

/**
 * For a question in another language than the app's, adds the article on changing the language, in
 * the question's language.
 */
function citeInBoth(
  context: Context,
  { ids, isOther }: { ids: readonly string[]; isOther: boolean },
): HelpAnswer['citations'] {
  if (!isOther || ids.includes(LANGUAGE_ARTICLE)) return cite(context, ids)
  const other = required(
    LANGUAGES.find((name) => name !== language()),
    'two languages',
  )
  return [
    ...cite(context, ids.slice(0, CITATIONS - 1)),
    ...inLanguage(other, () => cite(context, [LANGUAGE_ARTICLE])),
  ]
}

async function answerFromLedger(
  { sql, config }: Context,
  { userId, topic }: { userId: string; topic: AccountTopic },
): Promise<string> {
  const answers: Record<AccountTopic, () => Promise<string>> = {
    balance: async () => balanceAnswer(await readUser(sql, userId)),
    bots: async () => botsAnswer(await readBots(sql, userId)),
    withdrawals: async () => withdrawalsAnswer(await readWithdrawals(sql, userId)),
    deposits: async () => {
      const { items, nextCursor } = await readTransactions(sql, { userId, type: 'deposit' })
      return depositsAnswer(items, nextCursor !== null)
    },
  }
  const answer = await answers[topic]()
  return config.BOOK === 'paper' ? `${answer}\n\n${t('All amounts are paper money.')}` : answer
}

/**
 * Answers where no article applies. They are fixed, so that nothing typed into the chat can change
 * them.
 */
export const FIXED_ANSWERS = {
  greeting: msg('Hello! Ask me about deposits, bots, fees, risks, withdrawals or your account.'),
  thanks: msg("You're welcome! Is there anything else you'd like to know?"),
  advice: msg(
    "I can't give advice, predict prices or promise returns: nobody knows what prices will " +
      'do. The returns shown for the risk levels are not promises, and you can lose ' +
      'money. I can explain how the bots work, what they cost and what the risks are.',
  ),
  somebodyElse: msg(
    "I can only see the account you're signed in to, never anyone else's. Ask me about " +
      'your own balance, bots, deposits or withdrawals.',
  ),
  signedOut: msg('Sign in and ask again, and I can show you your own figures.'),
  unknown: msg(
    "Sorry, I don't know the answer to that. I can help with deposits, bots, fees, risks, " +
      'withdrawals and your account. Try other words.',
  ),
} as const

/** Articles cited below a fixed answer. */
export const SEE_ALSO = {
  greeting: ['about', 'help-chat'],
  thanks: [],
  advice: ['returns', 'losing-money', 'risk-levels'],
  somebodyElse: ['privacy', 'help-chat'],
  unknown: ['help-chat', 'support'],
} as const satisfies Partial<Record<keyof typeof FIXED_ANSWERS, readonly string[]>>

/**
 * Cited below the answer to a money question about what this product lacks, by page in
 * `docs/help/outside`.
 */
const SEE_INSTEAD: Readonly<Record<string, readonly string[]>> = {
  cards: ['withdraw', 'payment-methods'],
  credit: ['no-leverage', 'deposit'],
  banking: ['about', 'withdraw'],
  'other-firms': ['about', 'support'],
  'other-products': ['pairs', 'strategy'],
  'other-law': ['taxes', 'statement'],
}
