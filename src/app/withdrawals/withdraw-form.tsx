import type { BankAccount, WithdrawalTerms } from '#contract/withdrawals.ts'
import { decimalToUnits, parseDecimal } from '#core/money/decimal.ts'
import { Refusal } from '#core/refusal.ts'
import { checkDailyLimit } from '#core/withdrawals/protections.ts'
import { checkWithdrawal, MINIMUM_WITHDRAWAL } from '#core/withdrawals/withdrawal.ts'
import { moneyText } from '#words/figures.ts'
import { t } from '#words/words.ts'
import { Form, Submit, useForm } from '#app/api/form.tsx'
import { useUser } from '#app/api/queries.ts'
import { LinkButton } from '#app/ui/buttons/button.tsx'
import { AmountField } from '#app/ui/forms/fields.tsx'
import { ShareChoice } from '#app/ui/forms/share-choice.tsx'
import { StepHeading } from '#app/ui/forms/steps.tsx'
import { Skeleton } from '#app/ui/frame/section.tsx'
import { isPositiveAmount } from '#app/ui/money/amount-text.ts'
import { Money } from '#app/ui/money/money.tsx'
import { isTypedNothing } from '#app/ui/money/typed-amount.ts'
import { Trans } from '#app/ui/words/trans.tsx'
import { BankAccountCard } from './bank-account-card.tsx'
import { TermsNote } from './terms-note.tsx'
import { SENDING, WithdrawalPath } from './withdrawal-path.tsx'
import { useWithdrawalDraft } from './withdrawal-draft.ts'

/**
 * `terms`: undefined while they load or cannot be loaded. The form then submits without a check,
 * because the server checks the amount in any case.
 */
export function WithdrawForm({
  terms,
  onReview,
}: {
  terms: WithdrawalTerms | undefined
  onReview: () => void
}) {
  const available = terms && smallerOf(terms.withdrawable, terms.leftToday)
  const { typed, type, amount, account, choose, begin } = useWithdrawalDraft()
  const form = useForm({
    read: () => ({ amount, account }),
    check: (typed) => ({
      amount: () => checkAmount(typed.amount, terms),
      bankAccountId: () => checkAccount(typed.account),
    }),
    send: () => {
      begin()
      onReview()
    },
  })
  return (
    <Form form={form} className="flex flex-col gap-4">
      <Available amount={available} />
      {terms && <TermsNote terms={terms} />}
      {terms && <NothingAvailable terms={terms} />}
      <AmountField
        label={t('Amount')}
        value={typed}
        error={form.errors.amount}
        onChange={type}
        isHero
      />
      <ShareChoice
        available={available ?? '0.00'}
        typed={typed}
        onChoose={(share) => {
          type(share)
          form.edited('amount')
        }}
      />
      <BankAccountCard
        account={account}
        onChoose={choose}
        error={account ? undefined : form.errors.bankAccountId}
      />
      <WithdrawalPath terms={terms} />
      <Submit
        form={form}
        disabled={isTypedNothing(typed)}
        aria-describedby={`${REASON} ${SENDING}`}
      >
        {t('Request Withdrawal')}
      </Submit>
      <p id={REASON} className="-mt-1 text-center text-14 text-ink2">
        {isTypedNothing(typed) ? enterText() : t('You can cancel until it is sent.')}
      </p>
      {terms && <InBots terms={terms} />}
    </Form>
  )
}

/** Element id of the line below the button: why it is disabled, or until when one can cancel. */
const REASON = 'request-reason'

function enterText(): string {
  const amount = moneyText({ amount: MINIMUM_WITHDRAWAL, precision: 'whole' })
  return t('Enter an amount of at least {amount}.', { amount })
}

function checkAccount(account: BankAccount | undefined): void {
  if (!account) throw new Refusal('bank-account-required')
}

function Available({ amount }: { amount: string | undefined }) {
  return (
    <div className="flex min-h-6 flex-wrap items-center justify-between gap-x-3">
      <StepHeading quiet>{t('Available for withdrawal')}</StepHeading>
      {amount ? (
        <Money amount={amount} className="ml-auto text-17 font-semibold" />
      ) : (
        <Skeleton className="h-5 w-24" />
      )}
    </div>
  )
}

/** Checks only the amount: the withdrawable amount already excludes holds and debts. */
function checkAmount(typed: string | undefined, terms: WithdrawalTerms | undefined): void {
  const amount = parseDecimal(typed ?? '')
  const available = terms ? decimalToUnits(terms.withdrawable) : (amount ?? 0n)
  checkWithdrawal({ amount, available, owed: 0n, holds: [] })
  if (amount !== undefined && terms?.leftToday)
    checkDailyLimit({ amount, left: decimalToUnits(terms.leftToday) })
}

/**
 * The amount that can be requested now: the withdrawable amount, or the rest of the user's own
 * daily limit if that is smaller.
 */
function smallerOf(withdrawable: string, leftToday: string | null): string {
  return leftToday !== null && decimalToUnits(leftToday) < decimalToUnits(withdrawable)
    ? leftToday
    : withdrawable
}

/** Money that can be withdrawn once it is taken out of bots. */
function InBots({ terms }: { terms: WithdrawalTerms }) {
  const user = useUser().data
  if (!user || !isPositiveAmount(user.investedBalance) || !isPositiveAmount(terms.withdrawable))
    return null
  return (
    <p className="flex flex-wrap items-center justify-between gap-x-3 text-16">
      <span>{t('You have more in bots.')}</span>
      <LinkButton href="/bot-config" look="quiet" className="-mr-2">
        {t('Take money out')}
      </LinkButton>
    </p>
  )
}

/** Why nothing can be withdrawn, and the next step. `TermsNote` explains debts and holds. */
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
