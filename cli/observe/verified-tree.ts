import { type TreeNode, worstOf } from './tree.ts'

/** The result of comparing the resources of an object with its cloud. */
export type Verification =
  /** The changes of the next step: none if the cloud has what it should. `id`: of the resource that it would change. */
  | {
      readonly kind: 'read'
      readonly actions: readonly { readonly sentence: string; readonly id?: string }[]
    }
  | { readonly kind: 'unknown'; readonly why: string }

const isInCloud = ({ kind }: TreeNode): boolean => kind === 'cloud resource'

/** Returns the ids of the objects whose resources in a cloud a tree shows as recorded. */
export const recordedIn = (node: TreeNode): readonly string[] => [
  ...(node.kind === 'extension' && node.children.some(isInCloud) ? [node.id] : []),
  ...node.children.flatMap(recordedIn),
]

/**
 * Returns a tree with the state of resources in the cloud. A difference is a failure if the object has no work
 * to do; otherwise it waits.
 */
export const verifiedTree = (node: TreeNode, verified: ReadonlyMap<string, Verification>): TreeNode => {
  const found = verified.get(node.id)
  const children = node.children.map(child => verifiedTree(child, verified))
  const whole = found === undefined ? children : [...withFound(node, children, found)]
  return { ...node, state: worstOf([node.state, ...whole.map(({ state }) => state)]), children: whole }
}

const withFound = (
  object: TreeNode,
  children: readonly TreeNode[],
  found: Verification,
): readonly TreeNode[] => {
  const resource = (what: string, rest: Pick<TreeNode, 'title' | 'state'>): TreeNode => ({
    id: `${object.id} ${what}`,
    kind: 'cloud resource',
    ...rest,
    children: [],
  })
  if (found.kind === 'unknown')
    return [
      ...children,
      resource('unread', { title: `the cloud could not be read: ${found.why}`, state: 'unknown' }),
    ]
  const state = object.state === 'ok' ? 'failed' : 'waiting'
  const changed = new Set(found.actions.flatMap(({ id }) => id ?? []))
  const mark = (node: TreeNode): TreeNode => {
    const children = node.children.map(mark)
    if (changed.has(node.resource?.id ?? ''))
      return { ...node, state, detail: 'differs in the cloud', children }
    return isInCloud(node) && found.actions.length === 0
      ? { ...node, detail: 'seen in the cloud', children }
      : { ...node, children }
  }
  return [
    ...children.map(mark),
    ...found.actions.map(({ sentence }, index) =>
      resource(`difference ${index + 1}`, { title: `the next reconciliation would ${sentence}`, state }),
    ),
  ]
}
