import { useState } from 'react'
import { refusalOf } from '#contract/problem.ts'
import type { WithdrawalTerms } from '#contract/withdrawals.ts'
import { decimalToUnits, parseDecimal } from '#core/money/decimal.ts'
import { Refusal } from '#core/refusal.ts'
import { checkDailyLimit } from '#core/withdrawals/protections.ts'
import { checkWithdrawal, MINIMUM_WITHDRAWAL } from '#core/withdrawals/withdrawal.ts'
import { moneyText } from '#words/figures.ts'
import { t } from '#words/words.ts'
import { useUser } from '#app/api/queries.ts'
import { ActionButton } from '#app/ui/buttons/action-button.tsx'
import { LinkButton } from '#app/ui/buttons/button.tsx'
import { AmountField, Form } from '#app/ui/forms/form.tsx'
import { ChoiceRow } from '#app/ui/forms/choice-row.tsx'
import { StepHeading } from '#app/ui/forms/steps.tsx'
import { Skeleton } from '#app/ui/frame/section.tsx'
import { isPositiveAmount } from '#app/ui/money/amount-text.ts'
import { Money } from '#app/ui/money/money.tsx'
import { isTypedNothing, isTypedPositive, shareOf } from '#app/ui/money/typed-amount.ts'
import { showToast } from '#app/ui/overlays/toast.ts'
import { Trans } from '#app/ui/words/trans.tsx'
import { BankAccountCard } from './bank-account-card.tsx'
import { TermsNote } from './terms-note.tsx'
import { useWithdrawalDraft } from './withdrawal-draft.ts'

const SHARES_PERCENT = [25, 50, 75, 100] as const

/**
 * `terms` is undefined while they load, or cannot be loaded: the server checks the amount in any
 * case.
 */
export function WithdrawForm({
  terms,
  onReview,
}: {
  terms: WithdrawalTerms | undefined
  onReview: () => void
}) {
  const withdrawable = terms?.withdrawable
  const available = terms && smallerOf(terms.withdrawable, terms.leftToday)
  const { typed, type, amount, account, choose, begin } = useWithdrawalDraft()
  const [error, setError] = useState<string>()
  const [missingAccount, setMissingAccount] = useState<string>()
  const change = (next: string) => {
    type(next)
    setError(undefined)
  }
  const submit = () => {
    const units = parseDecimal(amount ?? '')
    const refusal = refusalOf(() => {
      // The withdrawable amount already leaves out holds and debts.
      checkWithdrawal({
        amount: units,
        available: withdrawable === undefined ? (units ?? 0n) : decimalToUnits(withdrawable),
        owed: 0n,
        holds: [],
      })
      if (units !== undefined && terms?.leftToday)
        checkDailyLimit({ amount: units, left: decimalToUnits(terms.leftToday) })
    })
    const missing = refusalOf(() => {
      if (!account) throw new Refusal('bank-account-required')
    })
    setError(refusal?.field && refusal.description)
    setMissingAccount(missing?.description)
    const first = refusal ?? missing
    if (first) return showToast({ ...first, tone: 'destructive' })
    begin()
    onReview()
  }
  return (
    <Form onSubmit={submit} className="flex flex-col gap-4">
      <div>
        <StepHeading quiet>{t('Available for withdrawal')}</StepHeading>
        {available === undefined ? (
          <Skeleton className="h-12 w-44" />
        ) : (
          <Money size="hero" amount={available} />
        )}
      </div>
      {terms && <TermsNote terms={terms} />}
      {terms && <NothingAvailable terms={terms} />}
      <AmountField
        label={t('Amount')}
        value={typed}
        error={error}
        onChange={change}
        hint={t('Minimum {amount}', {
          amount: moneyText({ amount: MINIMUM_WITHDRAWAL, precision: 'whole' }),
        })}
      />
      <ChoiceRow
        label={t('Share of the available balance')}
        choices={SHARES_PERCENT.map((percent) => ({
          text: shareText(percent),
          value: shareOf(available ?? '0.00', percent),
        }))}
        chosen={isTypedPositive(typed) ? typed : ''}
        disabled={available === undefined || !isPositiveAmount(available)}
        onChoose={change}
      />
      <BankAccountCard
        account={account}
        onChoose={choose}
        error={account ? undefined : missingAccount}
      />
      <p className="text-14 text-ink2">{t('Processing takes 1-3 business days.')}</p>
      <ActionButton type="submit" disabled={isTypedNothing(typed)}>
        {t('Request Withdrawal')}
      </ActionButton>
    </Form>
  )
}

/**
 * The amount that can be requested now: the withdrawable one, or the rest of the user's own daily
 * limit if that is smaller.
 */
function smallerOf(withdrawable: string, leftToday: string | null): string {
  return leftToday !== null && decimalToUnits(leftToday) < decimalToUnits(withdrawable)
    ? leftToday
    : withdrawable
}

function shareText(percent: (typeof SHARES_PERCENT)[number]): string {
  return percent === 100 ? t('Max') : t('{percent}%', { percent })
}

/** Why nothing can be withdrawn, and the way on. A debt and holds are explained by `TermsNote`. */
function NothingAvailable({ terms: { withdrawable, owed, holds } }: { terms: WithdrawalTerms }) {
  const user = useUser().data
  if (!user || isPositiveAmount(withdrawable) || isPositiveAmount(owed)) return null
  const isInBots = isPositiveAmount(user.investedBalance)
  if (!isInBots && holds.length > 0) return null
  const noCash = isPositiveAmount(user.heldBalance)
    ? t('All of your cash is on its way to your bank.')
    : t('You have no money to withdraw yet.')
  return (
    <section
      aria-label={t('Nothing to withdraw')}
      className="flex flex-col gap-3 rounded-control border border-hairline bg-surface px-4 py-4"
    >
      <p className="text-16">
        {isInBots ? (
          <Trans
            message="{amount} is in bots. Take money out of a bot first."
            amount={<Money amount={user.investedBalance} className="font-semibold" />}
          />
        ) : (
          noCash
        )}
      </p>
      <div className="flex flex-wrap gap-3 *:flex-1">
        {isInBots && <LinkButton href="/bot-config">{t('Your bots')}</LinkButton>}
        <LinkButton href="/deposit" look={isInBots ? 'outline' : 'primary'}>
          {t('Deposit|verb')}
        </LinkButton>
      </div>
    </section>
  )
}
