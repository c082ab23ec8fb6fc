import type { Cluster, ManagedResource, Network } from '../../shared/contract/objects.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import type { networkCases } from '../beside/beside.ts'
import { readStored } from './stored.ts'

export interface RecordedNetworkStep {
  readonly action: 'create' | 'idle' | 'migrate' | 'restore' | 'delete'
  /** `verb resource name`, with `[404]` if nothing was found. */
  readonly order: readonly string[]
  readonly requests: number
  readonly writeCount: number
  readonly result: Network | null
  /**
   * The content of the ManagedResource: CRDs without version and spec, and digests. Undefined if there is no
   * ManagedResource.
   */
  readonly managedResource:
    | {
        readonly resource: ManagedResource
        readonly secretName: string
        readonly objects: readonly KubernetesObject[]
      }
    | undefined
  readonly seedObjects: readonly KubernetesObject[]
}

export interface RecordedNetwork {
  readonly input: { readonly cluster: Cluster; readonly object: Network }
  readonly steps: readonly RecordedNetworkStep[]
}

interface StoredObjects {
  readonly managedResources: readonly (ManagedResource & {
    readonly secrets: readonly {
      readonly name: string
      readonly objects: Readonly<Record<string, readonly KubernetesObject[]>>
    }[]
  })[]
  readonly seedObjects: readonly KubernetesObject[]
}

interface StoredStep extends Omit<RecordedNetworkStep, 'managedResource' | 'seedObjects'> {
  /** Or a reference to them: `<as after create>`. */
  readonly objects: StoredObjects | string
}

export const recordedNetwork = (name: (typeof networkCases)[number]): RecordedNetwork => {
  const { input, steps } = readStored(`network/${name}.json`) as Pick<RecordedNetwork, 'input'> & {
    readonly steps: readonly StoredStep[]
  }
  const objectsAfter = (objects: StoredStep['objects']): StoredObjects => {
    if (typeof objects !== 'string') return objects
    const action = objects.slice('<as after '.length, -1)
    const step = steps.find(candidate => candidate.action === action)
    if (step === undefined) throw new Error(`no step ${action} is recorded of ${name}`)
    return objectsAfter(step.objects)
  }
  return {
    input,
    steps: steps.map(({ objects, ...step }) => {
      const { managedResources, seedObjects } = objectsAfter(objects)
      const [stored] = managedResources
      if (stored === undefined) return { ...step, managedResource: undefined, seedObjects }
      const { secrets, ...resource } = stored
      const [secret] = secrets
      return {
        ...step,
        managedResource: {
          resource: resource as ManagedResource,
          secretName: secret?.name ?? '',
          objects: secret?.objects['config.yaml'] ?? [],
        },
        seedObjects,
      }
    }),
  }
}
