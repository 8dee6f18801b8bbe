import { lazy, Suspense, useState } from 'react'
import { useTransactionReceipt } from '#app/api/queries.ts'
import type { ReceiptAddress } from './receipt-address.ts'

const WithdrawalOfReceipt = lazy(async () => ({
  default: (await import('#app/withdrawals/withdrawal-of-receipt.tsx')).WithdrawalOfReceipt,
}))
const ReceiptSheet = lazy(async () => ({
  default: (await import('./receipt-sheet.tsx')).ReceiptSheet,
}))

/**
 * The receipt that the address names, as a sheet over the screen. Its code arrives with the first
 * one.
 */
export function ReceiptFromAddress({
  receipt: { id, isOpen, close },
}: {
  receipt: ReceiptAddress
}) {
  // The sheet keeps its content while it leaves.
  const [shown, setShown] = useState(id)
  if (id !== undefined && id !== shown) setShown(id)
  return (
    <Suspense>
      {shown !== undefined && (
        <ReceiptSheet key={shown} id={shown} open={isOpen} onClose={close}>
          <Suspense>
            <Cancel id={shown} />
          </Suspense>
        </ReceiptSheet>
      )}
    </Suspense>
  )
}

function Cancel({ id }: { id: string }) {
  const withdrawal = useTransactionReceipt(id).data?.withdrawal
  return withdrawal?.cancelable ? <WithdrawalOfReceipt id={withdrawal.id} /> : null
}
