import type { KubernetesObject } from '../../../../shared/kubernetes/kubernetes.ts'
import { readStored } from '../../../../test/recorded/stored.ts'

/** The steps of the Go extension with one ContainerRuntime. */
export interface RecordedRuntime {
  readonly input: { readonly cluster: KubernetesObject; readonly object: KubernetesObject }
  /** The image of the installation. */
  readonly image: string
  readonly steps: readonly RecordedStep[]
}

export interface RecordedStep {
  readonly action: 'create' | 'idle' | 'change' | 'migrate' | 'restore' | 'delete'
  readonly patch?: object
  readonly writeCount: number
  readonly lastOperations: readonly { readonly type?: string; readonly description?: string }[]
  readonly objects: { readonly managedResources: readonly RecordedManagedResource[] } | `<as after ${string}>`
  readonly result: KubernetesObject | null
}

export interface RecordedManagedResource extends KubernetesObject {
  readonly secrets: readonly {
    readonly labels: Readonly<Record<string, string>>
    readonly immutable: boolean
    /** Digests, by the key of the Secret. */
    readonly objects: Readonly<Record<string, readonly KubernetesObject[]>>
  }[]
}

export const recordedRuntime = (): RecordedRuntime =>
  readStored('containerruntime/gvisor.json') as RecordedRuntime

/**
 * The intended differences between the recording and this function. If one fixes a defect of the Go extension, it names
 * the defect (docs/contract/small-kinds.md#containerruntime). Any other difference is a mistake.
 */
export const expectedDifferences = {
  'names of Secrets':
    'they follow from the bytes of the manifests, which are JSON here; those of the Go extension are kept where they hold the same objects',
  'a second run':
    'the Go extension reconciles once more after a create and a restore, whose operation it then calls Reconcile',
  'writes of an attempt': 'S10: both ManagedResources are deleted, then waited for once',
  'empty statuses': 'health checks of the Go extension have no check, and write the status as it was',
} as const
