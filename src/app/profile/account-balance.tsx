import type { User } from '#contract/auth.ts'
import { t } from '#words/words.ts'
import { knownBalances, usePortfolio } from '#app/api/queries.ts'
import { useHiddenBalance } from '#app/ui/device/hidden-balance.ts'
import { IconButton } from '#app/ui/buttons/icon-button.tsx'
import { Eye, EyeOff } from '#app/ui/frame/icons.ts'
import { LoadProblem } from '#app/ui/frame/load-problem.tsx'
import { Section } from '#app/ui/frame/section.tsx'
import { Skeleton } from '#app/ui/frame/skeleton.tsx'
import { BalanceLines } from '#app/ui/money/balance-lines.tsx'

/**
 * The balance and how it adds up, from the answer that follows the prices. The eye button hides all
 * own amounts on this device.
 */
export function AccountBalance({ user }: { user: User }) {
  const { hidden, toggle } = useHiddenBalance()
  const portfolio = usePortfolio('1M')
  const balances = knownBalances(portfolio, user)
  return (
    <Section
      title={t('Balance')}
      aside={
        <IconButton
          icon={hidden ? EyeOff : Eye}
          label={hidden ? t('Show balance') : t('Hide balance')}
          className="-mr-3"
          onClick={toggle}
        />
      }
    >
      {balances && <BalanceLines balances={balances} total={t('Account balance')} />}
      {!balances &&
        (portfolio.isError ? (
          <LoadProblem
            message={t('Unable to load your balance')}
            onRetry={() => void portfolio.refetch()}
          />
        ) : (
          <Skeleton className="h-48 w-full" />
        ))}
    </Section>
  )
}
