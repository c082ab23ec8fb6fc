import { partsOfObjectId, type StepEntry } from '../../shared/journal/journal.ts'
import { stepNodes, stepState } from './nodes/step-nodes.ts'
import type { SeedView } from './seed-view.ts'
import { type NodeState, type TreeNode, worstOf } from './tree.ts'

/** Returns the state that an object has after a step, as far as the step alone tells it. */
export const stateAfter = (step: StepEntry): NodeState =>
  step.outcome === 'waits' ? 'waiting' : step.outcome === 'continues' ? 'working' : stepState(step)

/** Returns the tree of a shoot before its objects were recorded, from its steps alone. */
export const stepsTree = (view: SeedView, technical: string): TreeNode => {
  const last = new Map((view.steps ?? []).map(step => [step.object, step]))
  const children = [...last].flatMap(([id, step]): readonly TreeNode[] => {
    const parts = partsOfObjectId(id)
    if (parts === undefined) return []
    const { kind, namespace, name } = parts
    const metadata = { name, ...(namespace !== undefined && { namespace }) }
    return [
      {
        ...{ id, kind: 'extension', title: `${kind} ${name}`, state: stateAfter(step) },
        detail: `${step.operation} ${step.outcome}`,
        since: Date.parse(step.at),
        ...(step.reason !== undefined && { why: step.reason }),
        children: stepNodes(view, { apiVersion: '', kind, metadata }),
      },
    ]
  })
  return {
    id: technical === '' ? 'Seed' : `Shoot ${technical}`,
    kind: 'shoot',
    title: technical === '' ? 'Objects of the seed' : `Shoot ${technical}`,
    state: worstOf(children.map(({ state }) => state)),
    why: 'from steps that the bridge remembers: the objects of this time are not recorded',
    children,
  }
}
