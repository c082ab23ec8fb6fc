import type {
  V1ClusterRole,
  V1ClusterRoleBinding,
  V1Container,
  V1PolicyRule,
  V1ServiceAccount,
} from '@kubernetes/client-node'
import { type Permission, rbacResource } from '../shared/kubernetes/kubernetes.ts'
import { lifecyclePermissions } from '../shared/lifecycle/lifecycle.ts'
import { type FunctionDefinition, type FunctionService, functionService } from '../shared/runtime/runtime.ts'

/** Where the bridge, the broker and the functions live in a seed. */
const namespace = 'trellis'

type TriggerFilter =
  | { readonly exact: Readonly<Record<string, string>> }
  | { readonly any: readonly TriggerFilter[] }

interface RenderedTrigger {
  readonly apiVersion: 'eventing.knative.dev/v1'
  readonly kind: 'Trigger'
  readonly metadata: { readonly name: string; readonly namespace: string }
  readonly spec: {
    readonly broker: string
    readonly filter: { readonly attributes: Readonly<Record<string, string>> }
    /** All of them have to pass; `filter` does not count then. */
    readonly filters?: readonly TriggerFilter[]
    readonly subscriber: {
      readonly ref: { readonly apiVersion: string; readonly kind: string; readonly name: string }
    }
  }
}

/** Knative knows the port of a probe: the container has one. */
interface ServingProbe {
  readonly httpGet: { readonly path: string }
}

interface ServingContainer extends Omit<V1Container, 'readinessProbe' | 'livenessProbe'> {
  readonly readinessProbe: ServingProbe
  readonly livenessProbe: ServingProbe
}

interface RenderedService {
  readonly apiVersion: 'serving.knative.dev/v1'
  readonly kind: 'Service'
  readonly metadata: {
    readonly name: string
    readonly namespace: string
    readonly labels: Readonly<Record<string, string>>
  }
  readonly spec: {
    readonly template: {
      readonly metadata: { readonly annotations: Readonly<Record<string, string>> }
      readonly spec: {
        readonly serviceAccountName: string
        readonly enableServiceLinks: boolean
        readonly containerConcurrency: number
        /** In seconds. */
        readonly timeoutSeconds: number
        readonly containers: readonly ServingContainer[]
      }
    }
  }
}

/** The objects that make a function run in a seed. */
export interface FunctionObjects {
  readonly trigger: RenderedTrigger
  readonly service: RenderedService
  readonly serviceAccount: V1ServiceAccount
  readonly clusterRole: V1ClusterRole & { readonly rules: V1PolicyRule[] }
  readonly clusterRoleBinding: V1ClusterRoleBinding
}

export const functionObjects = (definition: FunctionDefinition): FunctionObjects => {
  const { name, kind, types } = definition
  const role = `extensions.gardener.cloud:trellis:${name}`
  return {
    trigger: {
      apiVersion: 'eventing.knative.dev/v1',
      kind: 'Trigger',
      metadata: { name, namespace },
      spec: {
        broker: 'default',
        ...filterOf(kind, types),
        subscriber: { ref: { apiVersion: 'serving.knative.dev/v1', kind: 'Service', name } },
      },
    },
    service: serviceOf(name, functionService(definition.service)),
    serviceAccount: { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace } },
    clusterRole: {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: role },
      rules: [...lifecycleRules(lifecyclePermissions(kind)), ...definition.permissions.map(ruleOf)],
    },
    clusterRoleBinding: {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: role },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
      subjects: [{ kind: 'ServiceAccount', name, namespace }],
    },
  }
}

/** A broker that knows no `filters` goes by the `filter` beside it: the function leaves what is not its own alone. */
const filterOf = (
  kind: string,
  [type = '', ...others]: readonly string[],
): Pick<RenderedTrigger['spec'], 'filter' | 'filters'> =>
  others.length === 0
    ? { filter: { attributes: { kind, provider: type } } }
    : {
        filter: { attributes: { kind } },
        filters: [{ exact: { kind } }, { any: [type, ...others].map(provider => ({ exact: { provider } })) }],
      }

const serviceOf = (name: string, service: FunctionService): RenderedService => ({
  apiVersion: 'serving.knative.dev/v1',
  kind: 'Service',
  metadata: { name, namespace, labels: { 'networking.knative.dev/visibility': 'cluster-local' } },
  spec: {
    template: {
      metadata: {
        annotations: {
          'autoscaling.knative.dev/min-scale': '0',
          'autoscaling.knative.dev/max-scale': String(service.maxScale.value),
          'autoscaling.knative.dev/scale-to-zero-pod-retention-period': '60s',
        },
      },
      spec: {
        serviceAccountName: name,
        enableServiceLinks: false,
        containerConcurrency: service.concurrency.value,
        timeoutSeconds: 90,
        containers: [
          {
            name: 'function',
            image: `trellis/${name}:latest`,
            ports: [{ name: 'http1', containerPort: 8080 }],
            env: [
              { name: 'TRELLIS_LOG_LEVEL', value: 'info' },
              ...service.env.map(({ name: variable, value }) => ({ name: variable, value })),
            ],
            readinessProbe: { httpGet: { path: '/health/readiness' } },
            livenessProbe: { httpGet: { path: '/health/liveness' } },
            resources: {
              requests: { cpu: service.cpu, memory: service.memory.request },
              limits: { memory: service.memory.limit },
            },
            securityContext: {
              allowPrivilegeEscalation: false,
              readOnlyRootFilesystem: true,
              runAsNonRoot: true,
              capabilities: { drop: ['ALL'] },
              seccompProfile: { type: 'RuntimeDefault' },
            },
          },
        ],
      },
    },
  },
})

const ruleOf = (permission: Permission): V1PolicyRule => ({
  apiGroups: [permission.resource.group],
  resources: [rbacResource(permission)],
  verbs: [...permission.verbs],
})

/** One rule for those of the same group and verbs. */
const lifecycleRules = (permissions: readonly Permission[]): readonly V1PolicyRule[] =>
  [...Map.groupBy(permissions, ({ resource, verbs }) => `${resource.group} ${verbs}`).values()].flatMap(
    alike => alike.slice(0, 1).map(first => ({ ...ruleOf(first), resources: alike.map(rbacResource) })),
  )
