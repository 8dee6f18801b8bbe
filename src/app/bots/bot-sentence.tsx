import type { ReactNode } from 'react'
import { strategyTitle } from '#words/strategy-names.ts'
import { t } from '#words/words.ts'
import { Money } from '#app/ui/money/money.tsx'
import { readAmount } from '#app/ui/money/typed-amount.ts'
import { Trans } from '#app/ui/words/trans.tsx'
import type { EnteredBot } from './bot-draft.ts'
import { coinsText } from './bot-row.tsx'

export type FormPart = 'risk' | 'coins' | 'amount'

/**
 * The bot as one sentence, without its name, which a field shows. Each underlined word leads to the
 * part of the form that changes it. Has room for two lines on a phone, so that a choice moves
 * nothing below.
 */
export function BotSentence({
  bot,
  onOpen,
}: {
  bot: EnteredBot
  onOpen: (part: FormPart) => void
}) {
  const word = (part: FormPart, content: ReactNode) => (
    <a
      href={`#bot-${part}`}
      onClick={(event) => {
        event.preventDefault()
        onOpen(part)
      }}
      className={
        'rounded-control font-semibold wrap-anywhere text-accent underline decoration-2 ' +
        'underline-offset-[0.25em]'
      }
    >
      {content}
    </a>
  )
  const amount = readAmount(bot.investmentAmount)
  return (
    <h2 className="min-h-[2lh] text-20 leading-8">
      <Trans
        message="Your {risk} bot on {coins} with {amount}."
        risk={word('risk', strategyTitle(bot))}
        coins={word('coins', coinsText(bot.tradingPairs) || t('no coins'))}
        amount={word(
          'amount',
          amount === undefined ? (
            t('no amount')
          ) : (
            <Money own={false} amount={amount} precision={isWhole(amount) ? 'whole' : 'cents'} />
          ),
        )}
      />
    </h2>
  )
}

const isWhole = (amount: string) => /^\d+(\.0+)?$/.test(amount)
