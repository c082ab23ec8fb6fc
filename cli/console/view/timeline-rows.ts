import type { NextStep, TreeNode } from '../../observe/observe.ts'
import type { NodeIndex } from '../model/at-moment.ts'
import type { EventMark, NodeVersion, ShootHistory, StepBar } from '../model/history.ts'

/** One row: an object with everything that happened to it. */
export interface TimelineRow {
  readonly id: string
  readonly title: string
  readonly depth: number
  readonly versions: readonly NodeVersion[]
  readonly steps: readonly StepBar[]
  readonly events: readonly EventMark[]
  /** The next step, seen from the chosen moment. */
  readonly next?: NextStep
}

/** The steps and events of each object, by its id. */
export interface HappenedTo {
  readonly steps: ReadonlyMap<string, readonly StepBar[]>
  readonly events: ReadonlyMap<string, readonly EventMark[]>
}

export const happenedTo = ({ steps, events }: Pick<ShootHistory, 'steps' | 'events'>): HappenedTo => ({
  steps: Map.groupBy(steps, ({ object }) => object),
  events: Map.groupBy(events, ({ object }) => object),
})

/**
 * Returns the rows in the order of the tree: every node except steps and resources in the cloud, then objects that had
 * a step and do not exist at the moment.
 */
export const timelineRows = (
  trees: readonly TreeNode[],
  index: NodeIndex,
  { steps, events }: HappenedTo,
): readonly TimelineRow[] => {
  const rows: TimelineRow[] = []
  const seen = new Set<string>()
  const row = (id: string, title: string, depth: number, next?: NextStep): void => {
    seen.add(id)
    rows.push({
      id,
      title,
      depth,
      versions: index.get(id) ?? [],
      steps: steps.get(id) ?? [],
      events: events.get(id) ?? [],
      ...(next !== undefined && { next }),
    })
  }
  const visit = ({ id, kind, title, next, children }: TreeNode, depth: number): void => {
    if (kind === 'cloud resource' || kind === 'step') return
    row(id, title, depth, next)
    for (const child of children) visit(child, depth + 1)
  }
  for (const tree of trees) visit(tree, 0)
  for (const id of new Set([...steps.keys(), ...events.keys()]))
    if (!seen.has(id))
      row(
        id,
        `${id.slice(0, id.indexOf(' '))} ${id.slice(Math.max(id.indexOf(' '), id.lastIndexOf('/')) + 1)}`,
        1,
      )
  return rows
}

/** Returns the usual duration of a step: the median of the last ones. It is the width of an announced step. */
export const usualMs = (steps: readonly StepBar[]): number => {
  const durations = steps
    .slice(-15)
    .map(({ ms }) => ms)
    .sort((a, b) => a - b)
  return durations[Math.floor(durations.length / 2)] ?? 1000
}
