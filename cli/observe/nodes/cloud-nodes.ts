import type { CloudResource } from '../../../sandbox/providers/provider.ts'
import { asRecorded, type TreeNode } from '../tree.ts'

/**
 * Returns the nodes of resources in a cloud; a resource is below the one that contains it.
 *
 * @param owner the id of the node of the object that names them: several objects may name one resource
 */
export const cloudNodes = (owner: string, resources: readonly CloudResource[]): readonly TreeNode[] => {
  const ids = new Set(resources.map(({ id }) => id))
  const below = Map.groupBy(resources, ({ id, within }) =>
    within !== undefined && within !== id && ids.has(within) ? within : '',
  )
  // A resource that is shown once is removed, so resources that contain each other end the descent.
  const nodesIn = (within: string): readonly TreeNode[] => {
    const own = below.get(within) ?? []
    below.delete(within)
    return own.map(resource => ({
      id: `${owner} ${resource.type} ${resource.id}`,
      kind: 'cloud resource',
      title: `${resource.type} ${resource.id}${resource.zone === undefined ? '' : ` in zone ${resource.zone}`}`,
      state: 'ok',
      detail: asRecorded,
      resource,
      children: nodesIn(resource.id),
    }))
  }
  return nodesIn('')
}
