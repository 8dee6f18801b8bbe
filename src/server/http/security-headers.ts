import type { Config } from '#server/settings/config.ts'
import { isBehindTls } from '#server/settings/own-address.ts'

/**
 * Nothing third-party, no framing, no inline script but the page's own, whose hash `render-page.ts`
 * adds. Styles may be inline: the accessible dialogs set them.
 */
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
 * For Stripe's card form: its script, its frames (the form, a bank's confirmation), its API.
 * Source: docs.stripe.com/security/guide, "content security policy".
 */
const STRIPE_RULES = [
  "script-src 'self' https://js.stripe.com https://*.js.stripe.com",
  "connect-src 'self' https://api.stripe.com",
  'frame-src https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com',
]
const nameOf = (rule: string): string => rule.split(' ', 1)[0] ?? ''
const REPLACED = new Set(STRIPE_RULES.map(nameOf))
const DEPOSIT_CONTENT_SECURITY = [
  ...CONTENT_SECURITY_RULES.filter((rule) => !REPLACED.has(nameOf(rule))),
  ...STRIPE_RULES,
].join(';')

const HEADERS = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'permissions-policy': 'camera=(),geolocation=(),microphone=(),usb=()',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-frame-options': 'DENY',
  'x-permitted-cross-domain-policies': 'none',
} as const

/** A year, including subdomains, because one without TLS could plant cookies for all of them. */
const TLS_ONLY = { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } as const

/** Sent with every response. */
export function securityHeaders(config: Pick<Config, 'PUBLIC_URL'>): Record<string, string> {
  return isBehindTls(config) ? { ...HEADERS, ...TLS_ONLY } : HEADERS
}

/**
 * The policy of a page: it allows Stripe on the deposit page if cards use it, and third parties
 * nowhere else.
 */
export function contentSecurityOf(url: string, provider: 'sandbox' | 'stripe' | 'none'): string {
  const [path] = url.split('?', 1)
  return provider === 'stripe' && /^\/deposit\/?$/.test(path ?? '')
    ? DEPOSIT_CONTENT_SECURITY
    : CONTENT_SECURITY
}
