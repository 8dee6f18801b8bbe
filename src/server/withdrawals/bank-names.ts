import { Refusal } from '#core/refusal.ts'
import type { AchOrigin } from '#core/withdrawals/ach-file.ts'
import type { PayoutBatch } from '#core/withdrawals/payout-batch.ts'
import type { Context } from '#server/context.ts'
import type { Config } from '#server/settings/config.ts'

/**
 * Undefined unless all three settings are given; without them, no ACH file is written, only the
 * CSV.
 */
export function originOf({
  PAYOUT_BANK_ROUTING: bankRouting,
  PAYOUT_COMPANY_ID: companyId,
  PAYOUT_COMPANY_NAME: companyName,
}: Config): AchOrigin | undefined {
  return bankRouting && companyId && companyName
    ? { bankRouting, companyId, companyName }
    : undefined
}

/**
 * A name in the letters of a bank file. Emoji are removed, because they would be written as their
 * English names. Empty if no letter is left.
 */
export async function inBankLetters(name: string): Promise<string> {
  if (/^[\x20-\x7e]*$/.test(name)) return name
  const { default: transliterate } = await import('any-ascii')
  const written = transliterate(name.replaceAll(/\p{Extended_Pictographic}/gu, ' ')).trim()
  return /[A-Za-z]/.test(written) ? written : ''
}

export const withBankLetters = async (batch: PayoutBatch): Promise<PayoutBatch> => ({
  ...batch,
  lines: await Promise.all(
    batch.lines.map(async (line) => ({ ...line, name: await inBankLetters(line.name) })),
  ),
})

/** Whether payouts go into an ACH file, which would have no name for this recipient. */
export async function isNameless(
  { config, payouts }: Pick<Context, 'config' | 'payouts'>,
  name: string,
): Promise<boolean> {
  const isWritten = payouts.provider === 'bank-file' && originOf(config) !== undefined
  return isWritten && !/[A-Za-z]/.test(await inBankLetters(name))
}

/** Refuses as 'payout-unproven': a bank returns a payout without a name. */
export async function refuseNameless(context: Context, name: string): Promise<void> {
  if (await isNameless(context, name))
    throw new Refusal('payout-unproven', {
      sentence:
        "The bank's file takes Latin letters, and the owner's name has none: the owner changes " +
        'it on Profile.',
    })
}
