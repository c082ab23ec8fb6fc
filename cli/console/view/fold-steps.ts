import { causeOf } from '../../../shared/text/cause-of.ts'
import type { TreeNode } from '../../observe/observe.ts'
import type { StepBar } from '../model/history.ts'

/** Names of the object are in all texts of its steps. */
const noNames = { name: '' }

/** Splits a list into runs of neighbours with equal keys. An item without a key is a run of its own. */
const runsOf = <T>(
  items: readonly T[],
  keyOf: (item: T) => string | undefined,
): readonly (readonly T[])[] => {
  const runs: T[][] = []
  let last: string | undefined
  for (const item of items) {
    const key = keyOf(item)
    if (key !== undefined && key === last) runs.at(-1)?.push(item)
    else runs.push([item])
    last = key
  }
  return runs
}

/** Returns the steps in runs: failed steps in a row with the same error are one run. */
export const stepRuns = (steps: readonly StepBar[]): readonly (readonly StepBar[])[] =>
  runsOf(steps, ({ outcome, operation, reason, calls }) => {
    if (outcome !== 'failed') return undefined
    const failed = calls.flatMap(({ name, error }) => (error === undefined ? [] : [`${name} ${error}`]))
    return causeOf([operation, reason, ...failed].join(' '), noNames)
  })

/** Folds failed steps in a row with the same error into the last of them. */
export const foldedSteps = (nodes: readonly TreeNode[]): readonly TreeNode[] =>
  runsOf(nodes, ({ kind, state, title, why = '' }) =>
    kind === 'step' && state === 'failed' ? causeOf(`${title} ${why}`, noNames) : undefined,
  ).flatMap(run => {
    const last = run.at(-1)
    if (last === undefined) return []
    return run.length === 1 ? run : [{ ...last, title: `${run.length} steps, same error: ${last.title}` }]
  })
