import type { ReactNode } from 'react'

/** At very large text, only the table scrolls, not the page. */
export function ScoreTable({
  caption,
  head,
  columns,
  rows,
}: {
  caption: string
  head: string
  columns: readonly string[]
  rows: readonly { name: string; cells: readonly ReactNode[] }[]
}) {
  return (
    <div className="overflow-x-auto pb-4">
      <table className="w-full text-right text-12 min-[375px]:text-14">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr className="border-b border-ink">
            <th scope="col" className="py-2 text-left font-normal text-ink2">
              {head}
            </th>
            {columns.map((column) => (
              <th key={column} scope="col" className="py-2 pl-2 font-normal text-ink2">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, cells }) => (
            <tr key={name} className="border-b border-hairline">
              <th scope="row" className="py-3 text-left font-semibold">
                {name}
              </th>
              {columns.map((column, index) => (
                <td key={column} className="py-3 pl-2">
                  {cells[index]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
