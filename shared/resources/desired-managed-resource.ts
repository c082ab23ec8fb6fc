import type { KubernetesObject } from '../kubernetes/kubernetes.ts'

/** A ManagedResource as it shall be (docs/contract/managed-resources.md). */
export interface DesiredManagedResource {
  readonly name: string
  readonly namespace: string
  /** Absent: the resource manager of the shoot applies it to the shoot. */
  readonly class?: 'seed'
  /** Of the manifests in the Secret. One that ends in `.br` has them compressed. */
  readonly key: string
  /** What is applied, in this order; `Rendered<V1Deployment>` and the like. May hold secrets. */
  readonly objects: readonly KubernetesObject[]
  /** What the name of the Secret has before that of the ManagedResource. Absent: nothing. */
  readonly secretPrefix?: 'managedresource-'
  /** Of the ManagedResource itself, beside those that others give it: `origin` says whose it is. */
  readonly labels?: Readonly<Record<string, string>>
  /** Labels that every object gets. */
  readonly injectLabels?: Readonly<Record<string, string>>
  /** Whether the objects stay when the ManagedResource is deleted. Absent and false are the same to all readers. */
  readonly keepObjects?: boolean
  /** Whether annotations of objects go that others have put on them. */
  readonly forceOverwriteAnnotations?: boolean
  /** Whether labels of objects go that others have put on them. */
  readonly forceOverwriteLabels?: boolean
}
