import type { Appearance } from '@stripe/stripe-js'

/** Our tokens in Stripe's form, as the theme that is on shows them: a colour that is resolved, since the frame knows nothing of our page. */
export function cardAppearance(): Appearance {
  const colour = resolver()
  return {
    theme: 'flat',
    labels: 'above',
    variables: {
      colorPrimary: colour('accent'),
      colorBackground: colour('surface'),
      colorText: colour('ink'),
      colorTextSecondary: colour('ink2'),
      colorTextPlaceholder: colour('ink3'),
      colorDanger: colour('loss'),
      colorWarning: colour('warn'),
      colorSuccess: colour('gain'),
      fontFamily: 'system-ui, sans-serif',
      fontSizeBase: '16px',
      borderRadius: '14px',
      gridRowSpacing: '20px',
      gridColumnSpacing: '12px',
    },
    rules: {
      '.Input': { border: `1px solid ${colour('control')}`, padding: '13px 16px' },
      '.Input:focus': { borderColor: colour('accent'), boxShadow: `0 0 0 1px ${colour('accent')}` },
      '.Label': { fontWeight: '500', fontSize: '14px', color: colour('ink2') },
    },
  }
}

/** Tokens are light-dark() pairs: the browser itself says which of the two is shown. */
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
