import { lazy, Suspense, useEffect } from 'react'
import { msg, say, t } from '#words/words.ts'
import { useTransactionReceipt } from '#app/api/receipt-query.ts'
import { ReceiptSheet } from '#app/history/receipt-sheet.tsx'
import { LinkButton } from '#app/ui/buttons/button.tsx'
import { isLeaving } from '#app/ui/device/leaving.ts'
import { showToast } from '#app/ui/overlays/toast.ts'
import { WithdrawalOfReceipt } from '#app/withdrawals/cancel-button.tsx'

const ProtectOffer = lazy(async () => ({
  default: (await import('#app/security/protect-offer.tsx')).ProtectOffer,
}))

/**
 * The toasts of screens that moved money and led to Home. The history entry's state names the
 * toast, because such a screen may be another document.
 */
const ARRIVALS: Record<string, { title: string; description: string }> = {
  deposit: {
    title: msg('Payment Successful'),
    description: msg('Your deposit has been processed!'),
  },
  withdrawal: {
    title: msg('Withdrawal Requested'),
    description: msg(
      'Your withdrawal request has been submitted and will be processed within 1-3 business days.',
    ),
  },
}

export function ReceiptAtAddress(props: { id: string; open: boolean; onClose: () => void }) {
  useArrival()
  return (
    <ReceiptSheet {...props}>
      <NextStep id={props.id} />
    </ReceiptSheet>
  )
}

function NextStep({ id }: { id: string }) {
  const { transaction, withdrawal } = useTransactionReceipt(id).data ?? {}
  if (withdrawal) return <WithdrawalOfReceipt id={withdrawal.id} />
  if (transaction?.type !== 'deposit') return null
  return (
    <>
      <div className="mt-5 grid">
        <LinkButton href="/bot-config">{t('Put it to work')}</LinkButton>
      </div>
      <Suspense>
        <ProtectOffer />
      </Suspense>
    </>
  )
}

function useArrival(): void {
  useEffect(() => {
    const { arrived, ...rest } = (history.state ?? {}) as { arrived?: string }
    const toast = arrived === undefined ? undefined : ARRIVALS[arrived]
    if (!toast || isLeaving()) return
    history.replaceState(rest, '')
    showToast({ title: say(toast.title), description: say(toast.description) })
  }, [])
}
