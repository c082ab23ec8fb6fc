import { isKindName } from '../../shared/contract/kinds.ts'
import type { SeedView } from './seed-view.ts'
import { clusterOfShoot, shootNamespaceOf } from './shoot-of.ts'

import { extensionNode, shootTree } from './shoot-tree.ts'
import { type NodeState, nodeStates, type TreeNode, worstOf } from './tree.ts'

/** The status of a shoot, or of the objects that belong to no shoot. */
export interface ShootStatus {
  /** The namespace in the seed. Undefined: the objects of the seed itself. */
  readonly shoot: string | undefined
  readonly title: string
  readonly state: NodeState
  readonly detail?: string
  readonly since?: number
  readonly error?: TreeNode['error']
  /** Why and until when it is paused. */
  readonly why?: string
  readonly next?: TreeNode['next']
  readonly run?: TreeNode['run']
  /** The number of its extension objects. */
  readonly objects: number
  /** The objects that are not `ok`, the worst first. */
  readonly troubled: readonly TreeNode[]
}

const noResources = () => []

/** Returns the status of each shoot, or of its objects of one kind: failing ones first, then those that wait, then the others by name. */
export const seedStatus = (
  view: SeedView,
  { kind: only }: { readonly kind?: string | undefined } = {},
): readonly ShootStatus[] => {
  const extensions = view.objects.filter(({ kind }) =>
    only === undefined ? isKindName(kind) : kind === only,
  )
  const byShoot = Map.groupBy(extensions, object => shootNamespaceOf(view, object))
  const clusters = view.objects.filter(({ kind }) => kind === 'Cluster').map(({ metadata }) => metadata.name)
  const shoots = [
    ...new Set([
      ...(only === undefined ? clusters : []),
      ...[...byShoot.keys()].filter(shoot => shoot !== undefined),
    ]),
  ]
  const own = byShoot.get(undefined) ?? []
  const ofSeed = own.map(object => extensionNode(object, view, { resourcesOf: noResources }))
  return [
    ...shoots.map(shoot => {
      const objects = byShoot.get(shoot) ?? []
      const cluster = clusterOfShoot(view, shoot)
      // Only its own objects, so that a seed with many shoots is not searched for each.
      const tree = shootTree(
        { ...view, objects: cluster === undefined ? objects : [cluster, ...objects] },
        shoot,
        noResources,
      )
      return statusOf(shoot, only === undefined ? tree : headOf(tree), tree.children)
    }),
    ...(ofSeed.length === 0
      ? []
      : [
          statusOf(
            undefined,
            {
              title: 'Seed',
              state: worstOf([
                ...(view.unread?.length ? (['unknown'] as const) : []),
                ...ofSeed.map(({ state }) => state),
              ]),
            },
            ofSeed,
          ),
        ]),
  ].toSorted(
    (one, other) =>
      nodeStates.indexOf(other.state) - nodeStates.indexOf(one.state) || (one.title < other.title ? -1 : 1),
  )
}

/** Returns the state of single objects: the shoot itself may fail for another reason. */
const headOf = ({ title, children }: TreeNode): Pick<TreeNode, 'title' | 'state'> => ({
  title,
  state: worstOf(children.map(({ state }) => state)),
})

const statusOf = (
  shoot: string | undefined,
  {
    title,
    state,
    detail,
    since,
    error,
    why,
    next,
    run,
  }: Pick<TreeNode, 'title' | 'state' | 'detail' | 'since' | 'error' | 'why' | 'next' | 'run'>,
  objects: readonly TreeNode[],
): ShootStatus => ({
  shoot,
  title: shoot === undefined ? title : `${title}${title.endsWith(shoot) ? '' : ` (${shoot})`}`,
  state,
  ...(detail !== undefined && { detail }),
  ...(since !== undefined && { since }),
  ...(error !== undefined && { error }),
  ...(why !== undefined && { why }),
  ...(next !== undefined && { next }),
  ...(run !== undefined && { run }),
  objects: objects.length,
  troubled: objects
    .filter(one => one.state !== 'ok')
    .toSorted((one, other) => nodeStates.indexOf(other.state) - nodeStates.indexOf(one.state)),
})
