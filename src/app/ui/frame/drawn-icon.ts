import { createElement, type FunctionComponent, type SVGProps } from 'react'

export type Icon = FunctionComponent<SVGProps<SVGSVGElement> & { size?: number }>

export function drawnIcon(line: string): Icon {
  return ({ size = 24, ...rest }) =>
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
      createElement('path', { d: line }),
    )
}
