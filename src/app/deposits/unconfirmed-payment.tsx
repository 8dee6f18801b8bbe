import { ActionButton } from '#app/ui/buttons/action-button.tsx'

/** The card may have been charged, and the server could not be asked what was paid. */
export function UnconfirmedPayment({ isCharged = true, pending, onConfirm }: { isCharged?: boolean; pending: boolean; onConfirm: () => void }) {
  return (
    <div role="alert" className="flex flex-col gap-4 rounded-control border border-warn px-4 py-4">
      <p className="text-16">
        {isCharged ? 'Your card was charged, but the deposit is not booked yet.' : 'We could not ask yet whether your card was charged.'} It cannot get lost:
        we ask the card provider again.
      </p>
      <ActionButton pending={pending} pendingLabel="Asking again..." onClick={onConfirm}>
        Book the deposit
      </ActionButton>
    </div>
  )
}
