import { ConfirmDialog } from '#app/ui/overlays/confirm-dialog.tsx'
import { Money } from '#app/ui/money/money.tsx'

/** The bank's extra question (3-D Secure), as the sandbox asks it. */
export function CardConfirmation({ open, amount, onAnswer }: { open: boolean; amount: string; onAnswer: (agreed: boolean) => void }) {
  return (
    <ConfirmDialog
      open={open}
      onCancel={() => onAnswer(false)}
      onConfirm={() => onAnswer(true)}
      question="Your bank asks you to confirm"
      confirmLabel="Confirm"
      cancelLabel="Decline"
      tone="accent"
    >
      A payment of <Money amount={amount} className="font-semibold text-ink" /> to Trading Bot. This is the sandbox's version of your bank's
      check.
    </ConfirmDialog>
  )
}
