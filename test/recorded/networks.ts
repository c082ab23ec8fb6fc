import { readFileSync } from 'node:fs'
import type { Cluster, ManagedResource, Network } from '../../shared/contract/objects.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { besidePath, type networkCases } from '../beside/beside.ts'

export interface RecordedNetworkStep {
  readonly action: 'create' | 'idle' | 'migrate' | 'restore' | 'delete'
  /** `verb resource name`, with `[404]` if nothing was found. */
  readonly order: readonly string[]
  readonly requests: number
  readonly writeCount: number
  readonly result: Network | null
  /** The content of the ManagedResource. CRDs lack version and spec. Undefined if there is no ManagedResource. */
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

/** Reads a recording beside the repository. Requires `isBeside('golden')`. */
export const recordedNetwork = (name: (typeof networkCases)[number]): RecordedNetwork => {
  const { input, steps } = JSON.parse(
    readFileSync(besidePath('golden', `network/${name}.json`), 'utf8'),
  ) as Pick<RecordedNetwork, 'input'> & { readonly steps: readonly StoredStep[] }
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
