import type { ReactNode } from 'react'
import { msg, say } from '#words/words.ts'
import { Sheet } from '#app/ui/overlays/sheet.tsx'
import { ArticleSheet } from './article-sheet.tsx'
import {
  FeePicture,
  InvestedPicture,
  PaperPicture,
  SwingsPicture,
  TrendPicture,
} from './term-pictures.tsx'

/** Terms that an article of the help explains, by its id. */
const ARTICLES = {
  prices: msg('Where do the prices come from?'),
  'simulated-market': msg('What is the simulated market?'),
}

type Sentence = { text: string; mark?: string }
type Explanation = { title: string; picture: ReactNode; sentences: readonly Sentence[] }

/** `mark`: the sign of the picture that the sentence explains. */
const EXPLANATIONS = {
  trend: {
    title: msg('What is a trend?'),
    picture: <TrendPicture />,
    sentences: [
      {
        mark: '▲',
        text: msg('A trend turns up when the price closes above its high of the last days.'),
      },
      { mark: '▼', text: msg('It ends when the price closes below a stop that only rises.') },
    ],
  },
  invested: {
    title: msg('What does "invested" mean?'),
    picture: <InvestedPicture />,
    sentences: [
      { text: msg('The share of the money that is in coins. The rest is cash in the bot.') },
    ],
  },
  swings: {
    title: msg('What are swings?'),
    picture: <SwingsPicture />,
    sentences: [
      { text: msg('How far the worth of a bot rises and falls.') },
      { text: msg('A higher level may hold more coins, so it gains and loses more.') },
    ],
  },
  'trading-fee': {
    title: msg('What is the trading fee?'),
    picture: <FeePicture />,
    sentences: [
      { text: msg('The trading venue keeps a small part of each trade.') },
      { text: msg('All results here are after this fee.') },
    ],
  },
  'paper-money': {
    title: msg('What does this stamp mean?'),
    picture: <PaperPicture />,
    sentences: [
      { text: msg('These dollars are not real: cards are test cards, and trades are simulated.') },
      { text: msg('No withdrawal reaches a bank.') },
    ],
  },
} satisfies Record<string, Explanation>

export type Term = keyof typeof ARTICLES | keyof typeof EXPLANATIONS

type Props = { term: Term; open: boolean; onClose: () => void }

export function TermSheet({ term, ...shown }: Props) {
  if (term === 'prices' || term === 'simulated-market')
    return <ArticleSheet id={term} title={say(ARTICLES[term])} {...shown} />
  const { title, picture, sentences }: Explanation = EXPLANATIONS[term]
  return (
    <Sheet title={say(title)} {...shown}>
      <div className="flex flex-col gap-3 text-16">
        <svg
          aria-hidden="true"
          viewBox="0 0 320 112"
          fill="none"
          strokeLinecap="round"
          strokeLinejoin="round"
          className="mb-2 w-full max-w-90 self-center"
        >
          {picture}
        </svg>
        {sentences.map(({ text, mark }) => (
          <p key={text} className="flex gap-2 text-pretty">
            {mark && (
              <span aria-hidden="true" className="text-accent">
                {mark}
              </span>
            )}
            {say(text)}
          </p>
        ))}
      </div>
    </Sheet>
  )
}
