import type { Appearance } from '@stripe/stripe-js'

const LINE = '1px'

/**
 * Our design tokens for Stripe's form. Its frame cannot read our page's CSS, so colors are resolved
 * for the current theme.
 */
export function cardAppearance(): Appearance {
  const color = resolver()
  return {
    theme: 'flat',
    labels: 'above',
    variables: {
      colorPrimary: color('accent'),
      colorBackground: color('surface'),
      colorText: color('ink'),
      colorTextSecondary: color('ink2'),
      colorTextPlaceholder: color('ink3'),
      colorDanger: color('loss'),
      colorWarning: color('warn'),
      colorSuccess: color('gain'),
      fontFamily: 'system-ui, sans-serif',
      fontSizeBase: '16px',
      borderRadius: '14px',
      gridRowSpacing: '20px',
      gridColumnSpacing: '12px',
    },
    rules: {
      '.Input': { border: `${LINE} solid ${color('control')}`, padding: '13px 16px' },
      '.Input:focus': {
        borderColor: color('accent'),
        boxShadow: `0 0 0 ${LINE} ${color('accent')}`,
      },
      '.Label': { fontWeight: '500', fontSize: '14px', color: color('ink2') },
    },
  }
}

/** Tokens are light-dark() pairs; the browser resolves which of the two applies. */
function resolver(): (token: string) => string {
  const probe = document.createElement('span')
  return (token) => {
    probe.style.color = `var(--color-${token})`
    document.body.append(probe)
    const { color } = getComputedStyle(probe)
    probe.remove()
    return color
  }
}
