import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import type { StatusCause } from '../requests/api-error.ts'
import { isRecord } from '../schema/structural-schema.ts'
import { coreSchemas } from './core-schemas.ts'
import {
  between,
  builtIn,
  column,
  configMaps,
  events,
  namespaces,
  secrets,
  serviceAccounts,
  services,
} from './core-types.ts'
import { customResourceDefinitions } from './definition-type.ts'
import { networkTypes } from './network-types.ts'
import type { ResourceDefinition } from './resource-definition.ts'
import { shootTypes } from './shoot-types.ts'
import { deployments, podDisruptionBudgets, pods } from './workload-types.ts'

const field = (object: KubernetesObject, name: string): string =>
  isRecord(object.spec) && object.spec[name] !== undefined ? String(object.spec[name]) : ''

const leaseFaults = ({ spec }: KubernetesObject): readonly StatusCause[] => {
  const { leaseDurationSeconds: duration, leaseTransitions: transitions } = isRecord(spec) ? spec : {}
  const invalid = (name: string, value: number, text: string) => ({
    reason: 'FieldValueInvalid',
    message: `Invalid value: ${value}: ${text}`,
    field: `spec.${name}`,
  })
  return [
    ...(typeof duration === 'number' && duration <= 0
      ? [invalid('leaseDurationSeconds', duration, 'must be greater than 0')]
      : []),
    ...(typeof transitions === 'number' && transitions < 0
      ? [invalid('leaseTransitions', transitions, 'must be greater than or equal to 0')]
      : []),
  ]
}

const leases = builtIn({
  group: 'coordination.k8s.io',
  plural: 'leases',
  kind: 'Lease',
  schema: coreSchemas.lease,
  namespaced: true,
  columns: between(column('Holder', object => field(object, 'holderIdentity'))),
  check: leaseFaults,
})

const roleOf = ({ roleRef }: KubernetesObject): string =>
  isRecord(roleRef) ? `${roleRef.kind}/${roleRef.name}` : ''

/** Stored so that manifests apply. Permissions are not checked here. */
const rbac = (plural: string, kind: string, namespaced: boolean): ResourceDefinition =>
  builtIn({
    group: 'rbac.authorization.k8s.io',
    plural,
    kind,
    namespaced,
    columns: kind.endsWith('Binding') ? between(column('Role', roleOf)) : between(),
  })

/** Every resource that is served without a CustomResourceDefinition. */
export const builtInTypes: readonly ResourceDefinition[] = [
  configMaps,
  events,
  namespaces,
  pods,
  secrets,
  serviceAccounts,
  services,
  customResourceDefinitions,
  deployments,
  leases,
  podDisruptionBudgets,
  ...networkTypes,
  ...shootTypes,
  rbac('clusterrolebindings', 'ClusterRoleBinding', false),
  rbac('clusterroles', 'ClusterRole', false),
  rbac('rolebindings', 'RoleBinding', true),
  rbac('roles', 'Role', true),
]
