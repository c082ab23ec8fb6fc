import type { V1ClusterRole } from '@kubernetes/client-node'
import { type Permission, type Rendered, rbacResource, verbs } from '../../../shared/kubernetes/kubernetes.ts'
import { lifecyclePermissions } from '../../../shared/lifecycle/lifecycle.ts'
import type { FunctionDefinition, FunctionService } from '../../../shared/runtime/runtime.ts'
import type { CompactProgram, Deployment, EnvironmentVariable } from '../deployment.ts'
import { clusterRoleBindingOf, serviceAccountOf } from './account-objects.ts'
import { type Comment, type Explained, explained } from './explained.ts'
import { environmentOf, serviceObject } from './function-service-object.ts'
import { madeBy } from './made-by.ts'
import { clusterRoleName, rbacGroup } from './names.ts'
import { virtualGardenLabel } from './network-labels.ts'
import { compactHeap } from './process-pod.ts'
import { triggerObject } from './trigger-object.ts'

/**
 * The maximum of requests that Knative sends to one container in parallel (`container-concurrency-max-limit` of Knative
 * Serving).
 */
export const mostConcurrency = 1_000

/**
 * For a process with all functions of a provider: that of aws takes 120 to 140 MB after 200 events
 * (docs/operations.md#sizing).
 */
const resources = { cpu: '100m', memory: { request: '144Mi', limit: '384Mi' } }

/**
 * One process for several functions: one Service with one account that has the permissions of all, and a Trigger for
 * each that leads to the path of its name.
 */
export const compactObjects = (deployment: Deployment, program: CompactProgram): readonly Explained[] => {
  const { name, functions } = program
  return [
    explained(serviceAccountOf(deployment, name), [
      [[], `${functions.map(one => one.name).join(', ')}. ${madeBy}`],
    ]),
    clusterRole(deployment, name, functions),
    explained(clusterRoleBindingOf(deployment, name)),
    compactService(deployment, program),
    ...functions.map(definition =>
      triggerObject(deployment, definition, { service: name, uri: `/${definition.name}` }),
    ),
  ]
}

const compactService = (deployment: Deployment, program: CompactProgram): Explained => {
  const { name, functions } = program
  const services = functions.map(deployment.serviceOf)
  const template = ['spec', 'template']
  return explained(
    serviceObject(deployment, {
      name,
      maxScale: program.maxScale ?? Math.min(...services.map(({ maxScale }) => maxScale.value)),
      concurrency: program.concurrency ?? concurrencyOf(services),
      env: [...environmentOfAll(deployment, functions, services), ...(program.env ?? [])],
      ...resources,
      gardenAccess: functions.map(deployment.gardenAccess).find(access => access !== undefined),
      gardenLabels: virtualGardenLabel,
      reaches: [...new Set(services.flatMap(({ reaches }) => reaches))],
    }),
    [
      [
        [...template, 'metadata', 'annotations', 'autoscaling.knative.dev/max-scale'],
        'The minimum of the functions: each process has its own rate limits.',
      ],
      [
        [
          ...template,
          'metadata',
          'annotations',
          'autoscaling.knative.dev/scale-to-zero-pod-retention-period',
        ],
        'Objects come in waves (a maintenance window); this avoids cold starts within a wave.',
      ],
      [
        [...template, 'spec', 'containerConcurrency'],
        'The sum of the functions: the process limits each of them, so that none uses the places of another.',
      ],
      [
        [...template, 'spec', 'timeoutSeconds'],
        "Above the broker's delivery timeout. It is also the pod's termination grace period, for draining.",
      ],
    ],
  )
}

/** 0 means no limit, as in Knative. */
const concurrencyOf = (services: readonly FunctionService[]): number =>
  services.some(({ concurrency }) => concurrency.value === 0)
    ? 0
    : Math.min(
        services.reduce((sum, { concurrency }) => sum + concurrency.value, 0),
        mostConcurrency,
      )

/**
 * Returns the variables of all functions, each once. V8 limits apply to the process. Throws a TypeError if two
 * functions need different values of another variable, because one process cannot have both.
 */
const environmentOfAll = (
  deployment: Deployment,
  functions: readonly FunctionDefinition[],
  services: readonly FunctionService[],
): readonly EnvironmentVariable[] => {
  const own = [
    ...functions.flatMap(definition => environmentOf(deployment, definition)),
    ...services.flatMap(service => service.env),
  ]
  const ofProcess = new Map<string, string>(compactHeap.map(({ name, value }) => [name, value]))
  const env = new Map<string, string>()
  for (const { name, value } of own.filter(one => !ofProcess.has(one.name))) {
    const present = env.get(name)
    if (present !== undefined && present !== value)
      throw new TypeError(
        `${functions.map(one => one.name).join(', ')} need different values of ${name}: they cannot share a process`,
      )
    env.set(name, value)
  }
  return [...env, ...ofProcess].map(([name, value]) => ({ name, value }))
}

interface Reasoned extends Permission {
  readonly why?: string
}

/** The permissions of all functions with their reasons: one rule for each resource. */
const clusterRole = (
  deployment: Deployment,
  name: string,
  functions: readonly FunctionDefinition[],
): Explained => {
  const permissions = functions.flatMap((definition): readonly Reasoned[] => [
    ...lifecyclePermissions(definition.kind, definition),
    ...definition.permissions,
  ])
  const byResource = [...Map.groupBy(permissions, one => `${one.resource.group} ${rbacResource(one)}`)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, alike]) => alike)
  const object: Rendered<V1ClusterRole> = {
    apiVersion: `${rbacGroup}/v1`,
    kind: 'ClusterRole',
    metadata: { name: clusterRoleName(deployment, name) },
    rules: byResource.flatMap(alike =>
      alike.slice(0, 1).map(first => ({
        apiGroups: [first.resource.group],
        resources: [rbacResource(first)],
        verbs: verbs.filter(verb => alike.some(one => one.verbs.includes(verb))),
      })),
    ),
  }
  return explained(object, [
    [
      [],
      'The permissions of all functions, which share an account. In the process, each function has only its own.',
    ],
    ...byResource.flatMap((alike, index): readonly Comment[] => {
      const reasons = [...new Set(alike.flatMap(({ why }) => why ?? []))]
      return reasons.length === 0 ? [] : [[['rules', index], reasons.join('\n')]]
    }),
  ])
}
