import type { Deployment } from '../deployment.ts'
import { bridgeRules } from './bridge-rules.ts'
import type { Comment } from './explained.ts'
import { functionRules } from './function-objects.ts'
import { gardenFolder, gardenVolume } from './garden-volume.ts'
import { imageVectorFor } from './image-vector.ts'
import { gardenLabels, networkLabels } from './network-labels.ts'
import type { ProcessPod } from './process-pod.ts'
import { seedPrograms } from './seed-programs.ts'
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
