import type { FunctionDefinition } from '../../shared/runtime/runtime.ts'
import { routedTypes } from '../../shared/secondary/secondary.ts'
import type { CompactProgram, Deployment, EnvironmentVariable } from '../deployment.ts'
import { bridgeRules } from './bridge-rules.ts'
import { compactEnvironment, compactResources } from './compact-objects.ts'
import type { Comment } from './explained.ts'
import { functionRules } from './function-objects.ts'
import { environmentOf } from './function-service-object.ts'
import { gardenFolder, gardenVariable, gardenVolume } from './garden-volume.ts'
import { imageVectorFor } from './image-vector.ts'
import { lastOfEach } from './last-of-each.ts'
import { gardenLabels, networkLabels } from './network-labels.ts'
import type { ProcessPod } from './process-pod.ts'
import { type ReasonedRule, uniqueRules } from './unique-rules.ts'

/** Returns the permissions of the bridge and of all functions. */
export const seedProcessRules = (deployment: Deployment): readonly ReasonedRule[] =>
  uniqueRules([...bridgeRules(deployment), ...deployment.functions.flatMap(functionRules)])

/** Differences of a bridge that starts the functions itself. Its pod has the networks and Secrets of all functions. */
export const seedProcessPod = (
  deployment: Deployment,
  env: ProcessPod['env'],
): Pick<
  ProcessPod,
  'process' | 'env' | 'image' | 'terminationGrace' | 'labels' | 'annotations' | 'podLabels' | 'mounted'
> => {
  const { functions, seedProcess, serviceOf } = deployment
  const access = functions.map(deployment.gardenAccess).find(one => one !== undefined)
  const vector = imageVectorFor(deployment, functions)
  return {
    image: 'seed',
    process: seedProcess,
    env: [...env, { name: 'TRELLIS_PROGRAMS', value: seedPrograms(deployment) }],
    terminationGrace: 90,
    labels: { [injectLabel]: 'false' },
    annotations: { [replicasAnnotation]: String(seedProcess.replicas) },
    podLabels: {
      ...networkLabels([...new Set(functions.flatMap(definition => serviceOf(definition).reaches))]),
      ...(access && gardenLabels),
    },
    mounted: [
      ...(access ? [{ volume: gardenVolume(access), mountPath: gardenFolder }] : []),
      ...(vector ? [{ volume: vector.volume, mountPath: vector.mount.mountPath }] : []),
    ],
  }
}

/** Only functions with garden access get its kubeconfig (docs/contract/registration.md#garden-access). */
const injectLabel = 'extensions.gardener.cloud/inject-garden-kubeconfig'

/** Without it, gardener-resource-manager sets two replicas. */
const replicasAnnotation = 'high-availability-config.resources.gardener.cloud/replicas'

/** @param env the variables of the container */
export const seedProcessComments = (env: ProcessPod['env']): readonly Comment[] => {
  const pod = ['spec', 'template', 'spec']
  return [
    [
      ['metadata', 'labels', injectLabel],
      'gardenlet adds no access to the garden. Functions that need it have a volume.',
    ],
    [
      ['metadata', 'annotations', replicasAnnotation],
      'Retains the number of replicas. A second one is on standby.',
    ],
    [
      [...pod, 'terminationGracePeriodSeconds'],
      'Above the hard stop of a step (60 s): steps in flight end first.',
    ],
    [
      [...pod, 'containers', 0, 'env', env.findIndex(({ name }) => name === 'TRELLIS_PROGRAMS')],
      'The programs in the image that it starts, with their functions, variables and memory limits.',
    ],
    [
      [...pod, 'containers', 0, 'resources', 'limits', 'memory'],
      'For the bridge and all programs that are awake. Each program also has a limit of its own.',
    ],
  ]
}

/** The seed process sets these for each process that it starts. */
const ofSeedProcess = ['TRELLIS_REPORT_TO', 'TRELLIS_PORT', 'TRELLIS_ADDRESS']

/**
 * Returns the programs that the seed process starts (`TRELLIS_PROGRAMS`): the compact ones, and one for each other
 * function. Sorted, as Helm sorts the same text.
 */
const seedPrograms = (deployment: Deployment): string => {
  const { functions, compact, gardenAccess, serviceOf } = deployment
  const shared = new Set(compact.flatMap(program => program.functions.map(({ name }) => name)))
  const alone = functions.filter(({ name }) => !shared.has(name))
  const programs = [
    ...compact.map(program => ({
      ...program,
      memory: compactResources.memory.limit,
      env: compactEnvironment(deployment, program),
    })),
    ...alone.map(definition => ({
      name: definition.name,
      functions: [definition],
      memory: serviceOf(definition).memory.limit,
      env: [...environmentOf(deployment, definition), ...serviceOf(definition).env],
    })),
  ].map(({ name, functions: own, memory, env }) => ({
    env: variablesOf(name, [...(own.some(gardenAccess) ? [gardenVariable] : []), ...env]),
    functions: byName(own).map(definition => functionOf(deployment, definition)),
    memory,
    name,
  }))
  return JSON.stringify(byName(programs))
}

const functionOf = ({ serviceOf }: Deployment, definition: FunctionDefinition) => {
  const { name, kind } = definition
  const types = routedTypes(definition)
  return { concurrency: serviceOf(definition).concurrency.value, kind, name, types }
}

/** A process writes its fatal report into a file of its own, because all of them share a pod. */
const variablesOf = (
  program: CompactProgram['name'],
  env: readonly EnvironmentVariable[],
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    byName(lastOfEach(env).filter(({ name }) => !ofSeedProcess.includes(name))).map(({ name, value }) => [
      name,
      name === 'NODE_OPTIONS' ? value.replace('trellis-fatal.json', `trellis-fatal-${program}.json`) : value,
    ]),
  )

const byName = <T extends { readonly name: string }>(all: readonly T[]): readonly T[] =>
  all.toSorted((a, b) => (a.name < b.name ? -1 : 1))
