import { useConfig } from '#app/api/queries.ts'
import { LandingPart } from './landing-part.tsx'

export function HowItWorks() {
  const isLive = useConfig().data?.book === 'live'
  const steps = [
    isLive
      ? { title: 'Add money', text: 'You pay by card and can withdraw what no bot uses.' }
      : { title: 'Add paper money', text: 'You pay with a test card: it moves no real money.' },
    { title: 'Create a bot', text: 'Choose how much risk it takes, its coins and an amount.' },
    { title: 'Watch it trade', text: 'Pause it, take money out or close it whenever you like. It can lose money.' },
  ]
  return (
    <LandingPart title="How it works">
      <ol className="mt-4 grid gap-4">
        {steps.map(({ title, text }, index) => (
          <li key={title} className="flex gap-4">
            <span aria-hidden="true" className="flex size-8 shrink-0 items-center justify-center rounded-full bg-raised text-16 font-semibold">
              {index + 1}
            </span>
            <div>
              <h3 className="text-17 font-semibold">{title}</h3>
              <p className="text-16 text-pretty text-ink2">{text}</p>
            </div>
          </li>
        ))}
      </ol>
    </LandingPart>
  )
}
