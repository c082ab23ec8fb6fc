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
  /** 0 is always shown, higher values only with `-o wide`. */
  readonly priority?: number
  /** Relaxed JSONPath of a custom resource's column: `.spec.type`. */
  readonly jsonPath?: string
  /** The cell of a built-in resource's column. */
  readonly cell?: (object: KubernetesObject, now: number) => string | number
}

export interface ResourceVersion {
  readonly name: string
  /** True if `/status` is a subresource and writes of the main resource ignore `status`. */
  readonly hasStatus: boolean
  /** Absent: no `/scale` subresource. */
  readonly scale?: ScalePaths
  readonly schema?: EnforcedSchema
  readonly columns: readonly PrinterColumn[]
  /** Paths for field selectors, such as `.spec.type`, in addition to `metadata.name` and `metadata.namespace`. */
  readonly selectableFields: readonly string[]
}

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
  /** The version in which objects are stored. */
  readonly storageVersion: string
  /** True if defined by a CustomResourceDefinition. */
  readonly custom: boolean
  /** True if `metadata.generation` counts changes: for all custom resources and a few built-in ones. */
  readonly countsGenerations: boolean
  /** True if a PUT may omit `metadata.resourceVersion`. */
  readonly unconditionalUpdate: boolean
  /**
   * Sets kube-apiserver's defaults of this kind before validation (`stringData` of a Secret, `status.phase` of a
   * Namespace). `previous` is absent at creation.
   */
  readonly prepare?: (object: KubernetesObject, previous: KubernetesObject | undefined) => KubernetesObject
  /** Returns errors of this kind that the schema does not cover. */
  readonly check?: (
    object: KubernetesObject,
    previous: KubernetesObject | undefined,
  ) => readonly StatusCause[]
  /** Returns true if a deletion still waits with empty `metadata.finalizers` (`spec.finalizers` of a Namespace). */
  readonly holdsDeletion?: (object: KubernetesObject) => boolean
}

/** Returns the name of the collection in the store: `dnsrecords.extensions.gardener.cloud`. */
export const resourceName = (type: Pick<ResourceDefinition, 'group' | 'plural'>): string =>
  type.group === '' ? type.plural : `${type.plural}.${type.group}`

/** Returns `extensions.gardener.cloud/v1alpha1`, or `v1` in the core group. */
export const apiVersionOf = (group: string, version: string): string =>
  group === '' ? version : `${group}/${version}`
