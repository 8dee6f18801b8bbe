/** Nothing third-party, no inline script, no framing. Styles may be inline: the accessible dialogs set them. */
const CONTENT_SECURITY_RULES = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
]
const CONTENT_SECURITY = CONTENT_SECURITY_RULES.join(';')

/**
 * Additional sources for Stripe's card form: its script, its frames (the form, a bank's confirmation), its API.
 * Source: docs.stripe.com/security/guide, "content security policy".
 */
const STRIPE_RULES = [
  "script-src 'self' https://js.stripe.com https://*.js.stripe.com",
  "connect-src 'self' https://api.stripe.com",
  'frame-src https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com',
]
const nameOf = (rule: string): string => rule.split(' ', 1)[0] ?? ''
const REPLACED = new Set(STRIPE_RULES.map(nameOf))
const DEPOSIT_CONTENT_SECURITY = [...CONTENT_SECURITY_RULES.filter((rule) => !REPLACED.has(nameOf(rule))), ...STRIPE_RULES].join(';')

/** Restrictions for the browser, sent with every response. */
export const SECURITY_HEADERS = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-frame-options': 'DENY',
  'x-permitted-cross-domain-policies': 'none',
} as const

/** The policy of a page: with Stripe on the deposit page if cards use it, without third parties anywhere else. */
export function contentSecurityOf(url: string, provider: 'sandbox' | 'stripe' | 'none'): string {
  const [path] = url.split('?', 1)
  return provider === 'stripe' && path === '/deposit' ? DEPOSIT_CONTENT_SECURITY : CONTENT_SECURITY
}
