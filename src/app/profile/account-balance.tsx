import { Eye, EyeOff } from 'lucide-react'
import type { User } from '#contract/auth.ts'
import { useHiddenBalance } from '#app/ui/device/hidden-balance.ts'
import { IconButton } from '#app/ui/buttons/icon-button.tsx'
import { Section } from '#app/ui/frame/section.tsx'
import { Money } from '#app/ui/money/money.tsx'
import { Receipt, ReceiptLine } from '#app/ui/money/receipt.tsx'

/** The balance and how it adds up. The eye button hides it on this device, here and on Home. */
export function AccountBalance({ user }: { user: User }) {
  const { hidden, toggle } = useHiddenBalance()
  const shown = (amount: string) => (hidden ? <HiddenAmount /> : <Money amount={amount} />)
  return (
    <Section
      title="Balance"
      aside={<IconButton icon={hidden ? EyeOff : Eye} label={hidden ? 'Show balance' : 'Hide balance'} className="-mr-3" onClick={toggle} />}
    >
      <Receipt>
        <ReceiptLine label="Available cash">{shown(user.availableBalance)}</ReceiptLine>
        <ReceiptLine label="Held for withdrawals">{shown(user.heldBalance)}</ReceiptLine>
        <ReceiptLine label="In bots">{shown(user.investedBalance)}</ReceiptLine>
        <ReceiptLine kind="total" label="Account balance">
          {shown(user.totalBalance)}
        </ReceiptLine>
      </Receipt>
    </Section>
  )
}

function HiddenAmount() {
  return (
    <>
      <span className="sr-only">Hidden</span>
      <span aria-hidden="true">$••••••</span>
    </>
  )
}
