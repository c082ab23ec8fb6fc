import type { V1Volume } from '@kubernetes/client-node'
import type { Json, KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import {
  type FunctionDefinition,
  type FunctionService,
  reportAudience,
  reportTokenFolder,
} from '../../shared/runtime/runtime.ts'
import type { Deployment, EnvironmentVariable, GardenAccess } from '../deployment.ts'
import { reportLabel, reportUrl } from './bridge-service.ts'
import { type Comment, type Explained, explained } from './explained.ts'
import { gardenFolder, gardenVariable, gardenVolume } from './garden-volume.ts'
import { imageVectorFor, type MountedImageVector } from './image-vector.ts'
import { lastOfEach } from './last-of-each.ts'
import { gardenLabels, networkLabels } from './network-labels.ts'
import { memoryComments, processEnvironment } from './process-pod.ts'
import { restrictedContainer } from './restricted-container.ts'
import { versionAnnotation } from './version-annotation.ts'

/** A token with which a function proves its reports to the bridge. It is of no use at the API server. */
const reportTokenVolume: Json<V1Volume> = {
  name: 'report-token',
  projected: {
    defaultMode: 420,
    sources: [{ serviceAccountToken: { audience: reportAudience, expirationSeconds: 3600, path: 'token' } }],
  },
}

const reportTokenMount = {
  name: reportTokenVolume.name,
  mountPath: reportTokenFolder,
  readOnly: true,
} as const

export const functionServiceObject = (deployment: Deployment, definition: FunctionDefinition): Explained => {
  const service = deployment.serviceOf(definition)
  const { name } = definition
  const first = environmentOf(deployment, definition)
  const template = ['spec', 'template']
  const annotations = [...template, 'metadata', 'annotations']
  const container = [...template, 'spec', 'containers', 0]
  return explained(
    serviceObject(deployment, {
      name,
      maxScale: service.maxScale.value,
      concurrency: service.concurrency.value,
      env: [...first, ...service.env.map(({ name: variable, value }) => ({ name: variable, value }))],
      cpu: service.cpu,
      memory: service.memory,
      gardenAccess: deployment.gardenAccess(definition),
      gardenLabels,
      reaches: service.reaches,
      imageVector: imageVectorFor(deployment, [definition]),
    }),
    [
      [[...annotations, 'autoscaling.knative.dev/max-scale'], service.maxScale.why],
      [[...template, 'spec', 'containerConcurrency'], service.concurrency.why],
      [
        [...template, 'spec', 'timeoutSeconds'],
        "Above the broker's delivery timeout. It is also the pod's termination grace period.",
      ],
      ...memoryComments(first, container),
      ...service.env.map(({ why }, index): Comment => [[...container, 'env', first.length + index], why]),
    ],
  )
}

/** The default variables of a function, without those that its Service sets. */
export const environmentOf = (
  deployment: Deployment,
  definition: FunctionDefinition,
): readonly EnvironmentVariable[] => {
  const own = new Set(deployment.serviceOf(definition).env.map(({ name }) => name))
  return commonEnvironment(deployment, definition).filter(({ name }) => !own.has(name))
}

const commonEnvironment = (
  { namespace, logLevel, ...deployment }: Deployment,
  definition: FunctionDefinition,
): readonly EnvironmentVariable[] => [
  { name: 'TRELLIS_LOG_LEVEL', value: logLevel },
  { name: 'TRELLIS_REPORT_TO', value: reportUrl({ namespace }) },
  ...('webhooksNamespace' in definition.settings.shape
    ? [{ name: 'TRELLIS_WEBHOOKS_NAMESPACE', value: namespace }]
    : []),
  ...[imageVectorFor(deployment, [definition])?.variable].filter(one => one !== undefined),
  ...processEnvironment.function,
]

interface ServiceOptions {
  readonly name: string
  readonly maxScale: number
  readonly concurrency: number
  readonly env: readonly EnvironmentVariable[]
  readonly cpu: string
  readonly memory: { readonly request: string; readonly limit: string }
  readonly gardenAccess: GardenAccess | undefined
  /**
   * Labels for egress to the garden: a process of one function reaches any network, otherwise the networks of its
   * functions.
   */
  readonly gardenLabels: Readonly<Record<string, string>>
  readonly reaches: FunctionService['reaches']
  readonly imageVector: MountedImageVector | undefined
}

export const serviceObject = (
  deployment: Deployment,
  { name, maxScale, concurrency, env, cpu, memory, gardenAccess, imageVector, ...options }: ServiceOptions,
): KubernetesObject => ({
  apiVersion: 'serving.knative.dev/v1',
  kind: 'Service',
  metadata: {
    name,
    namespace: deployment.namespace,
    labels: { 'networking.knative.dev/visibility': 'cluster-local' },
    ...versionAnnotation(deployment),
  },
  spec: {
    template: {
      metadata: {
        labels: {
          ...networkLabels(options.reaches),
          ...(gardenAccess && options.gardenLabels),
          ...reportLabel,
          ...deployment.podLabels,
        },
        annotations: {
          'autoscaling.knative.dev/min-scale': '0',
          'autoscaling.knative.dev/max-scale': String(maxScale),
        },
      },
      spec: {
        serviceAccountName: name,
        enableServiceLinks: false,
        ...(deployment.imagePullSecrets.length > 0 && {
          imagePullSecrets: deployment.imagePullSecrets.map(secret => ({ name: secret })),
        }),
        containerConcurrency: concurrency,
        timeoutSeconds: 90,
        containers: [
          {
            name: 'function',
            image: deployment.image(name),
            ports: [{ name: 'http1', containerPort: 8080 }],
            env: lastOfEach([...(gardenAccess ? [gardenVariable] : []), ...env]),
            readinessProbe: { httpGet: { path: '/health/readiness' } },
            livenessProbe: { httpGet: { path: '/health/liveness' } },
            resources: { requests: { cpu, memory: memory.request }, limits: { memory: memory.limit } },
            securityContext: restrictedContainer,
            volumeMounts: [
              ...(gardenAccess
                ? [{ name: 'garden-kubeconfig', mountPath: gardenFolder, readOnly: true }]
                : []),
              ...(imageVector ? [imageVector.mount] : []),
              reportTokenMount,
            ],
          },
        ],
        volumes: [
          ...(gardenAccess ? [gardenVolume(gardenAccess)] : []),
          ...(imageVector ? [imageVector.volume] : []),
          reportTokenVolume,
        ],
      },
    },
  },
})
