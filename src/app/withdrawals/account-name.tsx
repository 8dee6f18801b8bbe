import type { BankAccount } from '#contract/withdrawals.ts'

/** 'First Bank •••• 6789': the bank, and the digits by which people know the account. */
export function AccountName({
  account: { bankName, accountNumber },
}: {
  account: Pick<BankAccount, 'bankName' | 'accountNumber'>
}) {
  return (
    <>
      {bankName} <span className="whitespace-nowrap">•••• {accountNumber}</span>
    </>
  )
}
