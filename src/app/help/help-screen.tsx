import { useConfig, useUser } from '../api/queries.ts'
import { PageHeader } from '../ui/page-header.tsx'
import { QUESTIONS } from './questions.ts'

/** Plain answers, open to everyone. */
export function HelpScreen() {
  const signedIn = Boolean(useUser().data)
  const licence = useConfig().data?.licence
  return (
    <>
      <PageHeader title="Help" {...(signedIn ? {} : { backTo: '/' })} />
      <div className="px-5 pt-2">
        {QUESTIONS.map(({ question, answer }) => (
          <details key={question} className="group border-b border-hairline">
            <summary
              className="flex min-h-14 cursor-pointer list-none items-center justify-between gap-4 py-3 text-17 font-semibold
                [&::-webkit-details-marker]:hidden"
            >
              {question}
              <span aria-hidden="true" className="text-20 font-normal text-ink2 transition-transform duration-120 group-open:rotate-45">
                +
              </span>
            </summary>
            <p className="pb-4 text-16 text-ink2">{answer}</p>
          </details>
        ))}
        <p className="pt-6 text-16 text-ink2">
          Something else? Contact the operator of this service and give your username and the reference on the receipt: that is all they
          need to find it.
        </p>
        {licence && <p className="pt-3 text-14 text-ink2">{licence}</p>}
      </div>
    </>
  )
}
