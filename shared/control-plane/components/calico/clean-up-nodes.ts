import { nodes } from '../../../kubernetes/core-resources.ts'
import { hasStatus, type KubernetesObject } from '../../../kubernetes/kubernetes.ts'
import { messageOf } from '../../../text/message-of.ts'
import type { ShootKubernetes } from '../../provider.ts'
import { withoutCalicoConditions } from './network-unavailable.ts'

/** Nodes per page. A response of a shoot may have 8 MiB, and a node has up to 30 KB. */
const pageSize = 100

/** Attempts to write the status of a node while its kubelet writes it too. */
const tries = 5

/**
 * Removes the network conditions of Calico from all nodes (docs/contract/control-plane.md#calico-clean-up). A write
 * applies only to the conditions that were read. If a kubelet has written since, the node is read again.
 */
export const cleanUpNodes = async (shoot: ShootKubernetes, signal: AbortSignal): Promise<void> => {
  for (let token: string | undefined = ''; token !== undefined; ) {
    const page: Awaited<ReturnType<ShootKubernetes['list']>> = await shoot
      .list(nodes, { limit: pageSize, ...(token !== '' && { continue: token }), signal })
      .catch(error => {
        throw new Error(`could not list nodes in shoot cluster: ${messageOf(error)}`, { cause: error })
      })
    for (const node of page.items) await cleanUpNode(shoot, node, signal)
    token = page.continue || undefined
  }
}

const cleanUpNode = async (
  shoot: ShootKubernetes,
  node: KubernetesObject,
  signal: AbortSignal,
): Promise<void> => {
  const { name } = node.metadata
  let present: KubernetesObject | undefined = node
  for (let attempt = 1; present !== undefined; attempt++) {
    const conditions = withoutCalicoConditions(conditionsOf(present))
    if (conditions === undefined) return
    const { uid, resourceVersion } = present.metadata
    try {
      await shoot.patch(
        nodes,
        { name },
        { metadata: { uid, resourceVersion }, status: { conditions } },
        { subresource: 'status', signal },
      )
      return
    } catch (error) {
      if (!hasStatus(error, 409, 404) || attempt === tries)
        throw new Error(`could not clean up node ${name} in shoot cluster: ${messageOf(error)}`, {
          cause: error,
        })
    }
    present = await shoot.get(nodes, { name }, { signal })
  }
}

const conditionsOf = ({ status }: KubernetesObject): Parameters<typeof withoutCalicoConditions>[0] => {
  const { conditions } = Object(status)
  return Array.isArray(conditions) ? conditions : undefined
}
