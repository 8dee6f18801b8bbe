import type { WithdrawalTerms } from '#contract/withdrawals.ts'
import { t } from '#words/words.ts'
import { useUser } from '#app/api/queries.ts'
import { LinkButton } from '#app/ui/buttons/link-button.tsx'
import { isPositiveAmount } from '#app/ui/money/amount-text.ts'
import { Money } from '#app/ui/money/money.tsx'
import { Trans } from '#app/ui/words/trans.tsx'

/** Why nothing can be withdrawn, and the way on. A debt and holds are explained by `TermsNote`. */
export function NothingAvailable({
  terms: { withdrawable, owed, holds },
}: {
  terms: WithdrawalTerms
}) {
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
