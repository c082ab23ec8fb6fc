import type { Timestamp } from '../../../shared/clock/clock.ts'
import type { Machine } from '../../../shared/contract/objects.ts'

/** The fields of a shoot's Node that the machine controller reads. */
export interface ShootNode {
  readonly name: string
  readonly providerId: string
  readonly ready: 'True' | 'Unknown'
  readonly readySince: Timestamp
  readonly unschedulable: boolean
  /** The reason of its condition Terminating. */
  readonly terminating: 'ScaleDown' | 'Unhealthy' | undefined
  /** Labels, annotations and taints from the machine. */
  readonly template?: NonNullable<Machine['spec']>['nodeTemplate']
}

/**
 * The Nodes of all shoots. The seed writes them to the API server of each shoot that has one, and never reads them
 * back.
 */
export interface Nodes {
  get(namespace: string, name: string): ShootNode | undefined
  list(namespace: string): readonly ShootNode[]
  /** Adds the Node, or replaces the one with the same name. */
  put(namespace: string, node: ShootNode): void
  remove(namespace: string, name: string): void
}

/**
 * @param changed called when a Node is created or deleted, or changes its readiness
 * @param written called after each change of any kind
 */
export const createNodes = (
  changed: (namespace: string, name: string) => void,
  written: (namespace: string) => void = () => {},
): Nodes => {
  const clusters = new Map<string, Map<string, ShootNode>>()
  const clusterOf = (namespace: string) => {
    const known = clusters.get(namespace) ?? new Map<string, ShootNode>()
    clusters.set(namespace, known)
    return known
  }
  return {
    get: (namespace, name) => clusters.get(namespace)?.get(name),
    list: namespace => [...(clusters.get(namespace)?.values() ?? [])],
    put: (namespace, node) => {
      const before = clusterOf(namespace).get(node.name)
      clusterOf(namespace).set(node.name, node)
      if (before?.ready !== node.ready || before.providerId !== node.providerId) changed(namespace, node.name)
      written(namespace)
    },
    remove: (namespace, name) => {
      if (!clusterOf(namespace).delete(name)) return
      changed(namespace, name)
      written(namespace)
    },
  }
}
