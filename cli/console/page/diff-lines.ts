import { diffArrays } from 'diff'

/** A line of a difference. A gap stands for unchanged lines. */
export type DiffLine =
  | { readonly kind: 'same' | 'added' | 'removed'; readonly text: string }
  | { readonly kind: 'gap'; readonly lines: number }

/** Unchanged lines around a change. */
const context = 3
/** A rewritten object is shown as removed and added, because the search for common lines is quadratic. */
const mostEdits = 600

/** Returns the lines that differ, with their surroundings. Empty if nothing differs. */
export const diffLines = (before: readonly string[], after: readonly string[]): readonly DiffLine[] => {
  const parts = diffArrays([...before], [...after], { maxEditLength: mostEdits }) ?? [
    { value: [...before], removed: true, added: false },
    { value: [...after], removed: false, added: true },
  ]
  if (parts.every(({ added, removed }) => !added && !removed)) return []
  return parts.flatMap(({ value, added, removed }, index) => {
    if (added || removed)
      return value.map(text => ({ kind: added ? ('added' as const) : ('removed' as const), text }))
    const start = index === 0 ? 0 : context
    const end = index === parts.length - 1 ? 0 : context
    return withGap(value, start, end)
  })
}

const withGap = (lines: readonly string[], start: number, end: number): readonly DiffLine[] => {
  const same = (text: string): DiffLine => ({ kind: 'same', text })
  if (lines.length <= start + end + 1) return lines.map(same)
  return [
    ...lines.slice(0, start).map(same),
    { kind: 'gap', lines: lines.length - start - end },
    ...lines.slice(lines.length - end).map(same),
  ]
}
