import type { Cluster, ControlPlane } from '../../shared/contract/objects.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import type { controlPlaneCases, openstackControlPlaneCases } from '../beside/beside.ts'
import { readStored } from './stored.ts'

/** A ManagedResource of the Go extension, with the content of its Secret. */
export interface RecordedManagedResource {
  readonly spec: Readonly<Record<string, unknown>>
  /** Keys of the Secret's data, if they were recorded. */
  readonly keys: readonly string[] | undefined
  /** The extension’s own webhook configuration, and digests of other objects (`digested`). */
  readonly objects: readonly KubernetesObject[]
  /** The checksums of the credentials in its objects. */
  readonly checksums: readonly string[]
}

export interface RecordedControlPlane {
  readonly input: {
    readonly cluster: Cluster
    readonly controlPlane: ControlPlane
    readonly cloudproviderLabels: 'static' | 'workload identity'
  }
  readonly managedResources: Readonly<Record<string, RecordedManagedResource>>
}

/** Additional recorded data of a ControlPlane. */
export interface RecordedSecrets {
  readonly generatedSecrets: readonly {
    readonly labels: Readonly<Record<string, string>>
    readonly keys: readonly string[]
    readonly certificate: { readonly subject: string; readonly san?: string; readonly ca: boolean }
  }[]
  readonly shootAccessSecrets: readonly { readonly name: string }[]
}

interface StoredResource {
  readonly spec: Readonly<Record<string, unknown>>
  readonly checksums: readonly string[]
  readonly secrets: Readonly<
    Record<
      string,
      {
        readonly keys?: Readonly<Record<string, unknown>> | readonly string[]
        /** Or a reference to them: `see crds-3.json: …`. */
        readonly objects: readonly KubernetesObject[] | string
      }
    >
  >
}

const read = (file: string): unknown => readStored(`controlplane/${file}`)

export const recordedControlPlane = (name: (typeof controlPlaneCases)[number]): RecordedControlPlane =>
  withContents(read(`${name}.json`))

/** Data of Secrets is text under `dataDecoded`. */
export const recordedOpenStackControlPlane = (
  name: (typeof openstackControlPlaneCases)[number],
): RecordedControlPlane => withContents(readStored(`openstack/controlplane/${name}.json`))

const withContents = (stored: unknown): RecordedControlPlane => {
  const { input, managedResources } = stored as Pick<RecordedControlPlane, 'input'> & {
    readonly managedResources: Readonly<Record<string, StoredResource>>
  }
  return {
    input,
    managedResources: Object.fromEntries(
      Object.entries(managedResources).map(([resource, stored]) => [resource, withContent(stored)]),
    ),
  }
}

/** Like `recordedControlPlane`, for the one with recorded secrets. */
export const recordedSecrets = (): RecordedSecrets => read('default.json') as RecordedSecrets

const withContent = ({ spec, checksums, secrets }: StoredResource): RecordedManagedResource => ({
  spec,
  checksums,
  keys: Object.values(secrets).map(({ keys }) => (Array.isArray(keys) ? keys : keys && Object.keys(keys)))[0],
  objects: Object.values(secrets).flatMap(({ objects }) => objectsIn(objects)),
})

const objectsIn = (objects: readonly KubernetesObject[] | string): readonly KubernetesObject[] => {
  if (typeof objects !== 'string') return objects
  const [, file] = /^see (crds-\d\.json):/.exec(objects) ?? []
  if (file === undefined) throw new Error(`no objects are told: ${objects}`)
  return (read(file) as { readonly objects: readonly KubernetesObject[] }).objects
}
