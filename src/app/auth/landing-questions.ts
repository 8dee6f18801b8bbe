import type { PublicConfig } from '#contract/config.ts'
import { msg } from '#words/words.ts'
import { CAN_LOSE, HOW_BOTS_DECIDE } from '#app/articles/article-titles.ts'

/**
 * `answer`: passages of the article `article`, word for word. `question`: its title. A test
 * compares both.
 */
export type LandingQuestion = { article: string; question: string; answer: readonly string[] }

const ALWAYS: readonly LandingQuestion[] = [
  {
    article: 'losing-money',
    question: CAN_LOSE,
    answer: [
      msg('Yes. Every risk level can lose money, and more risk means deeper falls.'),
      msg('Bots use no borrowed money, so you cannot lose more than you put in.'),
    ],
  },
  {
    article: 'strategy',
    question: HOW_BOTS_DECIDE,
    answer: [
      msg('By fixed, published rules; no trade follows a forecast.'),
      msg('Bots only buy and hold coins: no borrowed money, no bets on falling prices.'),
    ],
  },
  {
    article: 'withdraw-time',
    question: msg('How long does a withdrawal take?'),
    answer: [
      msg('Processing takes 1-3 business days; weekends and bank holidays do not count.'),
      msg('With paper money it takes seconds, and nothing reaches a bank.'),
    ],
  },
  {
    article: 'security',
    question: msg('How is my account protected?'),
    answer: [
      msg('Passwords and session ids are stored only as hashes (argon2id for passwords).'),
      msg('Bank account numbers are encrypted; card details are never stored.'),
      msg('Each withdrawal and new bank account needs your confirmation.'),
    ],
  },
]

const LAST: Record<PublicConfig['book'], LandingQuestion> = {
  paper: {
    article: 'paper-money',
    question: msg('What is paper money?'),
    answer: [
      msg(
        'The dashed "Paper money" stamp means: the dollars here are not real. No ' +
          'real money is at stake.',
      ),
      msg('You deposit with test cards, trades are simulated, and no withdrawal reaches a bank.'),
    ],
  },
  live: {
    article: 'licence',
    question: msg('Is this service licensed?'),
    answer: [
      msg('The first page shows the declaration of the operator beside "Secure & Licensed".'),
      msg('The app itself claims no license, no supervision and no deposit insurance.'),
    ],
  },
}

export function questionsFor(book: PublicConfig['book']): readonly LandingQuestion[] {
  return [...ALWAYS, LAST[book]]
}
