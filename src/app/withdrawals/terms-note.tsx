import { sentenceOf } from '#contract/problem.ts'
import type { WithdrawalTerms } from '#contract/withdrawals.ts'
import { t, tCount } from '#words/words.ts'
import { useDates } from '#app/ui/device/dates.ts'
import { Warning } from '#app/ui/frame/warning.tsx'
import { Money, useMoneyText } from '#app/ui/money/money.tsx'
import { Receipt } from '#app/ui/money/receipt.tsx'

const MOST_LINES = 4

/**
 * Why the balance cannot be withdrawn: a debt, the account's protection, or card deposits on hold.
 */
export function TermsNote({
  terms: { owed, holds, isLocked, isNameless, leftToday },
}: {
  terms: WithdrawalTerms
}) {
  if (owed !== '0.00') return <Frozen owed={owed} />
  if (isLocked)
    return (
      <Warning title={t('Withdrawals are paused')}>
        {sentenceOf({ code: 'withdrawals-locked', values: {} })}
      </Warning>
    )
  return (
    <>
      {isNameless && (
        <Warning title={t('Withdrawals wait for your name')}>
          {t('The bank needs your name in Latin letters. Change it on Profile.')}
        </Warning>
      )}
      {leftToday !== null && <Left amount={leftToday} />}
      {holds.length > 0 && <Holds holds={holds} />}
    </>
  )
}

function Left({ amount }: { amount: string }) {
  const moneyText = useMoneyText()
  return (
    <p className="text-14 text-ink2">
      {t('Left of your daily limit: {amount}', { amount: moneyText({ amount }) })}
    </p>
  )
}

function Frozen({ owed }: { owed: string }) {
  const moneyText = useMoneyText()
  return (
    <Warning title={t('Withdrawals are paused')}>
      {sentenceOf({ code: 'withdrawals-frozen', values: { owed: moneyText({ amount: owed }) } })}
    </Warning>
  )
}

function Holds({ holds }: { holds: WithdrawalTerms['holds'] }) {
  const { momentText } = useDates()
  const shown = holds.slice(0, MOST_LINES)
  const more = holds.length - shown.length
  return (
    <section aria-labelledby="on-hold">
      <h2 id="on-hold" className="text-16 font-semibold">
        {t('On hold')}
      </h2>
      <p className="mb-2 text-14 text-ink2">
        {t('You can trade with card deposits right away and withdraw them later.')}
      </p>
      <Receipt
        lines={[
          ...shown.map(({ amount, until }) => ({
            label: t('Available {moment}', { moment: momentText(until) }),
            value: <Money amount={amount} />,
          })),
          more > 0 && {
            label: t('Later'),
            value: tCount(more, { one: '{count} more', other: '{count} more' }),
          },
        ]}
      />
    </section>
  )
}
