import { createElement, type SVGProps } from 'react'

type Drawing = { node: readonly (readonly [tag: string, attributes: Record<string, string>])[] }
type Props = SVGProps<SVGSVGElement> & { size?: number }

/**
 * The component of one of lucide's drawings. The build puts it in the place of the library's own,
 * see `scripts/drawn-icons-plugin.ts`.
 */
export function drawnIcon({ node }: Drawing) {
  return ({ size = 24, ...rest }: Props) =>
    createElement(
      'svg',
      {
        width: size,
        height: size,
        viewBox: '0 0 24 24',
        fill: 'none',
        stroke: 'currentColor',
        strokeLinecap: 'round',
        strokeLinejoin: 'round',
        ...rest,
      },
      ...node.map(([tag, attributes]) => createElement(tag, attributes)),
    )
}
