import type { FunctionDefinition, FunctionService } from '../../shared/runtime/runtime.ts'
import type { CompactProgram, Deployment, EnvironmentVariable } from '../deployment.ts'
import { clusterRoleBindingOf, clusterRoleOf, serviceAccountOf } from './account-objects.ts'
import { type Explained, explained } from './explained.ts'
import { functionRules } from './function-objects.ts'
import { environmentOf, serviceObject } from './function-service-object.ts'
import { imageVectorFor } from './image-vector.ts'
import { madeBy } from './made-by.ts'
import { virtualGardenLabel } from './network-labels.ts'
import { processEnvironment } from './process-pod.ts'
import { triggerObject } from './trigger-object.ts'
import { uniqueRules } from './unique-rules.ts'

/**
 * The maximum of requests that Knative sends to one container in parallel (`container-concurrency-max-limit` of Knative
 * Serving).
 */
const mostConcurrency = 1_000

/**
 * For a process with all functions of a provider: that of aws takes 120 to 140 MB after 200 events
 * (docs/operations.md#cost).
 */
export const compactResources = { cpu: '100m', memory: { request: '144Mi', limit: '384Mi' } }

/**
 * One process for several functions: one Service with one account that has the permissions of all, and a Trigger for
 * each that leads to the path of its name.
 */
export const compactObjects = (deployment: Deployment, program: CompactProgram): readonly Explained[] => {
  const { name, functions } = program
  return [
    explained(serviceAccountOf(deployment, name), `${functions.map(one => one.name).join(', ')}. ${madeBy}`),
    clusterRoleOf(
      deployment,
      name,
      uniqueRules(functions.flatMap(functionRules)),
      'The permissions of all functions, which share an account. In the process, each function has only its own.',
    ),
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
      maxScale: Math.min(...services.map(({ maxScale }) => maxScale.value)),
      concurrency: concurrencyOf(services),
      env: compactEnvironment(deployment, program),
      ...compactResources,
      gardenAccess: functions.map(deployment.gardenAccess).find(access => access !== undefined),
      gardenLabels: virtualGardenLabel,
      reaches: [...new Set(services.flatMap(({ reaches }) => reaches))],
      imageVector: imageVectorFor(deployment, functions),
    }),
    [
      [
        [...template, 'metadata', 'annotations', 'autoscaling.knative.dev/max-scale'],
        'The minimum of the functions, because each process limits their rates by itself.',
      ],
      [
        [...template, 'spec', 'containerConcurrency'],
        'The sum of the functions. The process limits each function to its own part.',
      ],
      [
        [...template, 'spec', 'timeoutSeconds'],
        "Above the broker's delivery timeout. It is also the pod's termination grace period.",
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

/** Returns the variables of a process with several functions. */
export const compactEnvironment = (
  deployment: Deployment,
  { functions, env = [] }: CompactProgram,
): readonly EnvironmentVariable[] => [
  ...environmentOfAll(deployment, functions, functions.map(deployment.serviceOf)),
  ...env,
]

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
  const ofProcess = new Map<string, string>(
    processEnvironment.compact.map(({ name, value }) => [name, value]),
  )
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
