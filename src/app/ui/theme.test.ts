import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

const css = readFileSync(new URL('./theme.css', import.meta.url), 'utf8')
const THEMES = ['light', 'dark'] as const
const TEXT = ['ink', 'ink2', 'ink3', 'accent', 'gain', 'loss', 'warn', 'info'] as const
const GROUNDS = ['paper', 'surface', 'raised'] as const

/** Relative luminance as defined by WCAG 2.2. */
function luminance(hex: string): number {
  const [red, green, blue] = [1, 3, 5].map((start) => {
    const channel = Number.parseInt(hex.slice(start, start + 2), 16) / 255
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0)
}

function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

function color({ token, theme }: { token: string; theme: (typeof THEMES)[number] }): string {
  const match = new RegExp(`--color-${token}: light-dark\\((#[0-9a-f]{6}), (#[0-9a-f]{6})\\)`).exec(
    css,
  )
  const hex = theme === 'light' ? match?.[1] : match?.[2]
  if (!hex) throw new Error(`no token ${token}`)
  return hex
}

describe.each(THEMES)('in the %s theme', (theme) => {
  test.each(GROUNDS.flatMap((ground) => TEXT.map((text) => [text, ground] as const)))(
    '%s on %s has a contrast of at least 4.5:1',
    (text, ground) => {
      expect(
        contrast(color({ token: text, theme }), color({ token: ground, theme })),
      ).toBeGreaterThanOrEqual(4.5)
    },
  )

  test('text on the accent has a contrast of at least 4.5:1', () => {
    expect(
      contrast(color({ token: 'on-accent', theme }), color({ token: 'accent', theme })),
    ).toBeGreaterThanOrEqual(4.5)
  })

  test.each(GROUNDS)('the border of a control on %s has a contrast of at least 3:1', (ground) => {
    expect(
      contrast(color({ token: 'control', theme }), color({ token: ground, theme })),
    ).toBeGreaterThanOrEqual(3)
  })
})
