import type { BrowserContext } from 'playwright-core'

/**
 * Replaces js.stripe.com, which tests cannot reach: the part of Stripe.js that
 * @stripe/react-stripe-js calls, with plain fields in place of Stripe's framed ones. Tests
 * intercept Stripe's own addresses, for this script and for its calls, which they forward to the
 * emulator. So the page's content policy applies as to the real one.
 */
function standIn(): void {
  const api = 'https://api.stripe.com/v1/payment_intents/'
  const make = (key: string) => {
    const fields: Record<string, HTMLInputElement> = {}
    let clientSecret = ''
    const element = {
      heard: {} as Record<string, (event?: unknown) => void>,
      on: (name: string, told: () => void) => void (element.heard[name] = told),
      off: () => undefined,
      once: () => undefined,
      update: () => undefined,
      destroy: () => undefined,
      unmount: () => undefined,
      mount: (place: HTMLElement) => {
        for (const name of ['Card number', 'Expiration date', 'Security code']) {
          const label = document.createElement('label')
          const field = document.createElement('input')
          label.style.cssText = 'display:block;margin-bottom:16px'
          field.style.cssText =
            'display:block;width:100%;min-height:48px;font-size:16px;border:1px ' +
            'solid;border-radius:14px;padding:0 16px'
          label.append(name, field)
          place.append(label)
          fields[name] = field
        }
        setTimeout(() => element.heard['ready']?.({}))
      },
    }
    const ask = async (path: string, body: Record<string, string>) => {
      const answer = await fetch(api + path, {
        method: 'POST',
        body: new URLSearchParams({ key, client_secret: clientSecret, ...body }),
      })
      return answer.json() as Promise<{
        error?: object
        status?: string
        next_action?: { redirect_to_url: { url: string } }
      }>
    }
    return {
      version: 'endive',
      _registerWrapper: () => undefined,
      registerAppInfo: () => undefined,
      createToken: () => undefined,
      createPaymentMethod: () => undefined,
      confirmCardPayment: () => undefined,
      elements: (options: { clientSecret: string }) => {
        ;({ clientSecret } = options)
        return {
          create: () => element,
          getElement: () => element,
          update: () => undefined,
          submit: async () => ({}),
        }
      },
      confirmPayment: async ({ confirmParams }: { confirmParams: { return_url: string } }) => {
        const number = fields['Card number']?.value.replace(/\D/g, '') ?? ''
        if (number.length < 16)
          return { error: { type: 'validation_error', message: 'Your card number is incomplete.' } }
        const [id = ''] = clientSecret.split('_secret_')
        const intent = await ask(`${id}/confirm`, {
          'payment_method_data[number]': number,
          return_url: confirmParams.return_url,
        })
        if (intent.error) return { error: intent.error }
        if (intent.status !== 'requires_action') return { paymentIntent: intent }
        location.assign(intent.next_action?.redirect_to_url.url ?? '')
        return new Promise(() => undefined)
      },
    }
  }
  Object.assign(window, { Stripe: Object.assign(make, { version: 'endive' }) })
}

/** Answers js.stripe.com with the stand-in and api.stripe.com with the emulator at `url`. */
export async function serveStripeJs(context: BrowserContext, url: string): Promise<void> {
  await context.route('https://js.stripe.com/**', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: `(${standIn.toString()})()` }),
  )
  await context.route('https://api.stripe.com/**', async (route) => {
    const request = route.request()
    const asked = new URL(request.url())
    const answer = await fetch(`${url}${asked.pathname}${asked.search}`, {
      method: request.method(),
      body: request.postData(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    await route.fulfill({
      status: answer.status,
      contentType: 'application/json',
      headers: { 'access-control-allow-origin': '*' },
      body: await answer.text(),
    })
  })
}
