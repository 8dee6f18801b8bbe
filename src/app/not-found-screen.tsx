import { LinkButton } from '#app/ui/buttons/link-button.tsx'

export function NotFoundScreen() {
  return (
    <main className="mx-auto grid min-h-dvh max-w-page content-center gap-4 px-5 text-center">
      <title>404 Page Not Found · Trading Bot</title>
      <h1 className="text-28 font-semibold">404 Page Not Found</h1>
      <p className="text-16 text-ink2">Did you forget to add the page to the router?</p>
      <LinkButton href="/" look="outline" className="justify-self-center">
        Go to Home
      </LinkButton>
    </main>
  )
}
