import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import type { StatusCause } from '../requests/api-error.ts'
import { isRecord } from '../schema/structural-schema.ts'
import { builtIn } from './core-types.ts'
import type { ResourceDefinition } from './resource-definition.ts'

const required = (field: string, text = ''): StatusCause => ({
  reason: 'FieldValueRequired',
  message: text === '' ? 'Required value' : `Required value: ${text}`,
  field,
})

const wrong = (field: string, value: unknown, text: string): StatusCause => ({
  reason: 'FieldValueInvalid',
  message: `Invalid value: ${JSON.stringify(value)}: ${text}`,
  field,
})

/** Sets the default names, which are derived from the kind, and the default conversion. */
const prepare = (object: KubernetesObject, previous: KubernetesObject | undefined): KubernetesObject => {
  const spec = isRecord(object.spec) ? object.spec : {}
  const names = isRecord(spec.names) ? spec.names : {}
  const kind = String(names.kind ?? '')
  return {
    ...object,
    metadata: isMarkedNow(object, previous)
      ? { ...object.metadata, finalizers: [...(object.metadata.finalizers ?? []), cleanupFinalizer] }
      : object.metadata,
    spec: {
      ...spec,
      conversion: spec.conversion ?? { strategy: 'None' },
      names: { singular: kind.toLowerCase(), listKind: `${kind}List`, ...names },
    },
  }
}

const isMarkedNow = (object: KubernetesObject, previous: KubernetesObject | undefined): boolean =>
  object.metadata.deletionTimestamp !== undefined && previous?.metadata.deletionTimestamp === undefined

/** Retains a definition until its objects are deleted. */
export const cleanupFinalizer = 'customresourcecleanup.apiextensions.k8s.io'

const check = (object: KubernetesObject): readonly StatusCause[] => {
  const { spec, metadata } = object
  if (!isRecord(spec)) return [required('spec')]
  const causes: StatusCause[] = []
  const names = isRecord(spec.names) ? spec.names : {}
  for (const name of ['plural', 'kind']) {
    if (typeof names[name] !== 'string' || names[name] === '') causes.push(required(`spec.names.${name}`))
  }
  if (typeof spec.group !== 'string' || spec.group === '') causes.push(required('spec.group'))
  else if (metadata.name !== `${names.plural}.${spec.group}`) {
    causes.push(wrong('metadata.name', metadata.name, 'must be spec.names.plural+"."+spec.group'))
  }
  if (spec.scope !== 'Namespaced' && spec.scope !== 'Cluster') {
    causes.push({
      reason: 'FieldValueNotSupported',
      message: `Unsupported value: ${JSON.stringify(spec.scope)}: supported values: "Cluster", "Namespaced"`,
      field: 'spec.scope',
    })
  }
  return [...causes, ...approvalFaults(spec.group, metadata.annotations), ...versionFaults(spec.versions)]
}

const approval = 'api-approved.kubernetes.io'

/** The API server protects Kubernetes' own groups (apiextensions-apiserver, `ValidateCustomResourceDefinition`). */
const approvalFaults = (
  group: unknown,
  annotations: Readonly<Record<string, string>> = {},
): readonly StatusCause[] =>
  /(?:^|\.)(?:k8s|kubernetes)\.io$/.test(String(group)) && annotations[approval] === undefined
    ? [
        required(
          `metadata.annotations[${approval}]`,
          `protected groups must have approval annotation "${approval}", see https://github.com/kubernetes/enhancements/pull/1111`,
        ),
      ]
    : []

const versionFaults = (versions: unknown): readonly StatusCause[] => {
  if (!Array.isArray(versions) || versions.length === 0) return [required('spec.versions')]
  const causes: StatusCause[] = []
  const stored = versions.filter(version => isRecord(version) && version.storage === true)
  if (stored.length !== 1) {
    causes.push(
      wrong('spec.versions', versions.length, 'must have exactly one version marked as storage version'),
    )
  }
  for (const [index, version] of versions.entries()) {
    const at = `spec.versions[${index}]`
    if (!isRecord(version) || typeof version.name !== 'string') causes.push(required(`${at}.name`))
    else if (!isRecord(version.schema) || !isRecord(version.schema.openAPIV3Schema)) {
      causes.push(required(`${at}.schema.openAPIV3Schema`, 'schemas are required'))
    } else if (version.schema.openAPIV3Schema.type !== 'object') {
      causes.push(required(`${at}.schema.openAPIV3Schema.type`, 'must be object at the root'))
    }
  }
  return causes
}

export const customResourceDefinitions: ResourceDefinition = builtIn({
  group: 'apiextensions.k8s.io',
  plural: 'customresourcedefinitions',
  kind: 'CustomResourceDefinition',
  namespaced: false,
  shortNames: ['crd', 'crds'],
  categories: ['api-extensions'],
  countsGenerations: true,
  hasStatus: true,
  columns: [
    { name: 'Name', type: 'string', format: 'name', cell: object => object.metadata.name },
    { name: 'Created At', type: 'date', cell: object => object.metadata.creationTimestamp ?? '' },
  ],
  prepare,
  check,
  // Marking the definition for deletion adds its finalizer.
  holdsDeletion: object => object.metadata.deletionTimestamp === undefined,
})
