import type { ListedProblem } from '../model/history.ts'
import type { ListedShoot } from './filter-shoots.ts'

/** Shoots that fail alike. */
export interface CauseGroup extends ListedProblem {
  /** Unique, also after later changes of the shoots. */
  readonly id: string
  readonly shoots: readonly ListedShoot[]
}

/** A line of the list of causes: a cause, or a shoot below it. */
export type CauseRow =
  | { readonly group: CauseGroup; readonly isOpen: boolean }
  | { readonly group: CauseGroup; readonly shoot: ListedShoot }

/** Groups failing shoots by their causes, the most frequent first. A shoot with two causes is in two groups. */
export const byCause = (shoots: readonly ListedShoot[]): readonly CauseGroup[] => {
  const problems = shoots.flatMap(shoot => (shoot.now.problems ?? []).map(problem => ({ shoot, problem })))
  const groups = Map.groupBy(problems, ({ problem }) => `${problem.codes.join(' ')} ${problem.cause}`)
  return [...groups]
    .map(([id, members]) => ({
      id,
      cause: members[0]?.problem.cause ?? '',
      codes: members[0]?.problem.codes ?? [],
      shoots: members.map(({ shoot }) => shoot),
    }))
    .toSorted((one, other) => other.shoots.length - one.shoots.length || (one.id < other.id ? -1 : 1))
}

/** Returns the lines of the list. @param closed the ids of groups whose shoots are not shown */
export const causeRows = (groups: readonly CauseGroup[], closed: ReadonlySet<string>): readonly CauseRow[] =>
  groups.flatMap((group): readonly CauseRow[] =>
    closed.has(group.id)
      ? [{ group, isOpen: false }]
      : [{ group, isOpen: true }, ...group.shoots.map(shoot => ({ group, shoot }))],
  )
