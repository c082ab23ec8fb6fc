import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import type { StatusCause } from '../requests/api-error.ts'
import type { EnforcedSchema } from '../schema/structural-schema.ts'
import type { ScalePaths } from './scale.ts'

/** A column of `kubectl get`. */
export interface PrinterColumn {
  readonly name: string
  /** `string`, `integer`, `number`, `boolean`, `date`. */
  readonly type: string
  readonly format?: string
  readonly description?: string
  /** 0 is always shown, more only with `-o wide`. */
  readonly priority?: number
  /** Relaxed JSONPath of a custom resource's column: `.spec.type`. */
  readonly jsonPath?: string
  /** The cell of a built-in resource's column. */
  readonly cell?: (object: KubernetesObject, now: number) => string | number
}

/** One served version of a resource. */
export interface ResourceVersion {
  readonly name: string
  /** Whether `/status` is a resource of its own and the main resource leaves `status` alone. */
  readonly hasStatus: boolean
  /** Absent: there is no `/scale`. */
  readonly scale?: ScalePaths
  readonly schema?: EnforcedSchema
  readonly columns: readonly PrinterColumn[]
  /** Paths as `.spec.type` that field selectors may name besides `metadata.name` and `metadata.namespace`. */
  readonly selectableFields: readonly string[]
}

/** A resource that the server serves. */
export interface ResourceDefinition {
  readonly group: string
  readonly plural: string
  readonly singular: string
  readonly kind: string
  readonly listKind: string
  readonly shortNames: readonly string[]
  readonly categories: readonly string[]
  readonly namespaced: boolean
  /** The preferred version first. */
  readonly versions: readonly ResourceVersion[]
  /** The version that objects are stored in. */
  readonly storageVersion: string
  /** Defined by a CustomResourceDefinition. */
  readonly custom: boolean
  /** Whether `metadata.generation` counts changes: of custom resources always, of a few built-in ones. */
  readonly countsGenerations: boolean
  /** Whether a PUT may leave `metadata.resourceVersion` out. */
  readonly unconditionalUpdate: boolean
  /**
   * Fills in what kube-apiserver fills in for this kind, before validation (`stringData` of a Secret,
   * `status.phase` of a Namespace). `previous` is absent at creation.
   */
  readonly prepare?: (object: KubernetesObject, previous: KubernetesObject | undefined) => KubernetesObject
  /** Faults of this kind that no schema states. */
  readonly check?: (
    object: KubernetesObject,
    previous: KubernetesObject | undefined,
  ) => readonly StatusCause[]
  /** Whether a deletion still waits although `metadata.finalizers` is empty (`spec.finalizers` of a Namespace). */
  readonly holdsDeletion?: (object: KubernetesObject) => boolean
}

/** `dnsrecords.extensions.gardener.cloud`: the name of the collection in the store. */
export const resourceName = (type: Pick<ResourceDefinition, 'group' | 'plural'>): string =>
  type.group === '' ? type.plural : `${type.plural}.${type.group}`

/** `extensions.gardener.cloud/v1alpha1`, or `v1` in the core group. */
export const apiVersionOf = (group: string, version: string): string =>
  group === '' ? version : `${group}/${version}`
