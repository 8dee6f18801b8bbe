import type { ReactNode } from 'react'
import { t } from '#words/words.ts'
import type { Icon } from '#app/ui/frame/drawn-icon.ts'
import { CreditCard, Landmark } from '#app/ui/frame/icons.ts'
import { CardNote } from './payment-parts.tsx'

export function PaymentMethods() {
  return (
    <section aria-labelledby="payment-methods" className="pt-8">
      <h2 id="payment-methods" className="text-20 font-semibold">
        {t('Payment Methods')}
      </h2>
      <ul className="mt-2 divide-y divide-hairline border-y border-hairline">
        <Method icon={CreditCard} title={t('Credit/Debit Card')}>
          {t('Visa, Mastercard, American Express')}
        </Method>
        <Method icon={Landmark} title={t('Bank Transfer')}>
          {t('Coming soon')}
        </Method>
      </ul>
      <div className="mt-3">
        <CardNote />
      </div>
    </section>
  )
}

function Method({
  icon: Icon,
  title,
  children,
}: {
  icon: Icon
  title: string
  children: ReactNode
}) {
  return (
    <li className="flex min-h-16 items-center gap-4 py-2">
      <Icon size={24} strokeWidth={1.75} aria-hidden="true" className="shrink-0 text-ink2" />
      <div>
        <p className="text-16 font-semibold">{title}</p>
        <p className="text-14 text-ink2">{children}</p>
      </div>
    </li>
  )
}
