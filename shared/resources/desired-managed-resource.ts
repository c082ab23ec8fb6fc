import type { KubernetesObject } from '../kubernetes/kubernetes.ts'

/** The desired state of a ManagedResource (docs/contract/managed-resources.md). */
export interface DesiredManagedResource {
  readonly name: string
  readonly namespace: string
  /** Absent: the shoot's resource manager applies it to the shoot. */
  readonly class?: 'seed'
  /** Key of the manifests in the Secret. They are compressed if it ends with `.br`. */
  readonly key: string
  /** The objects to apply, in this order, such as `Rendered<V1Deployment>`. May contain secrets. */
  readonly objects: readonly KubernetesObject[]
  /** Prefix of the Secret's name before that of the ManagedResource. Default: none. */
  readonly secretPrefix?: 'managedresource-'
  /** Labels of the ManagedResource. Labels of others are retained. `origin` names the owner. */
  readonly labels?: Readonly<Record<string, string>>
  /** Labels for every object. */
  readonly injectLabels?: Readonly<Record<string, string>>
  /** Retains the objects when the ManagedResource is deleted. Default: false. */
  readonly keepObjects?: boolean
  /** Removes foreign annotations from the objects. */
  readonly forceOverwriteAnnotations?: boolean
  /** Removes foreign labels from the objects. */
  readonly forceOverwriteLabels?: boolean
}
