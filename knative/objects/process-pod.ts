import type {
  V1DeploymentStrategy,
  V1EnvVar,
  V1PodDisruptionBudget,
  V1Probe,
  V1Volume,
} from '@kubernetes/client-node'
import type { Json, KubernetesObject, Rendered } from '../../shared/kubernetes/kubernetes.ts'
import type { DeployedProcess, Deployment } from '../deployment.ts'
import type { Comment } from './explained.ts'
import { lastOfEach } from './last-of-each.ts'
import { restrictedContainer } from './restricted-container.ts'
import { versionAnnotation } from './version-annotation.ts'

/** The differences between the permanent processes. */
export interface ProcessPod {
  /** The name of the Deployment, its account and its labels. */
  readonly name: string
  /** The name of the container. */
  readonly program: 'bridge' | 'webhook'
  /** The program of the image. Default: `program`. */
  readonly image?: string
  readonly process: DeployedProcess
  readonly env: readonly Json<V1EnvVar>[]
  /** Ports besides `metrics` (8080). */
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[]
  /** In seconds. */
  readonly readinessPeriod: number
  /** In seconds. */
  readonly terminationGrace: number
  readonly strategy?: Json<V1DeploymentStrategy>
  readonly priorityClassName: string | undefined
  /** Type for Gardener's placement of replicas: `controller` with one active replica, or `server`. */
  readonly availability: 'controller' | 'server'
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
  readonly podLabels: Readonly<Record<string, string>>
  /** Volumes that are mounted as folders. Default: none. */
  readonly mounted?: readonly { readonly volume: Json<V1Volume>; readonly mountPath: string }[]
}

const oneArena = { name: 'MALLOC_ARENA_MAX', value: '1' } as const

/**
 * Node writes a report to `/dev/shm` when V8 ends the process. The containers of a pod share this folder, and it
 * outlives them, so the next process in the pod can count the death (shared/runtime/reports/fatal-report.ts). The
 * report omits environment and addresses.
 */
const fatalReport =
  '--report-on-fatalerror --report-compact --report-exclude-env --report-exclude-network --report-directory=/dev/shm --report-filename=trellis-fatal.json'

/** The memory settings of each kind of process. docs/decisions/0064-memory.md has their gains. */
export const processEnvironment = {
  /** Bridge and webhooks. */
  process: [{ name: 'NODE_OPTIONS', value: '--max-old-space-size=192' }, oneArena],
  function: [{ name: 'NODE_OPTIONS', value: `--max-old-space-size=128 ${fatalReport}` }, oneArena],
  /** A process with several functions. */
  compact: [{ name: 'NODE_OPTIONS', value: `--max-old-space-size=192 ${fatalReport}` }, oneArena],
} as const

const reasons: Readonly<Record<string, string>> = {
  NODE_OPTIONS:
    'V8 collects garbage below the memory limit of the container, or ends the process before the kernel does.',
  [oneArena.name]: "One heap of glibc's malloc for all threads: 3 to 12 MB less after a burst of events.",
}

/** Returns the comments on the memory settings among the variables of a container. */
export const memoryComments = (
  env: readonly { readonly name: string }[],
  container: Comment[0],
): readonly Comment[] =>
  env.flatMap(({ name }, index): readonly Comment[] => {
    const reason = reasons[name]
    return reason === undefined ? [] : [[[...container, 'env', index], reason]]
  })

/** A Deployment of a permanent process: probes, spread, restricted pods. */
export const processDeployment = (deployment: Deployment, options: ProcessPod): KubernetesObject => {
  const { name, process, program, strategy, priorityClassName, annotations, mounted = [] } = options
  const labels = { app: name }
  const { annotations: version } = versionAnnotation(deployment)
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {
      name,
      namespace: deployment.namespace,
      labels: {
        ...labels,
        'high-availability-config.resources.gardener.cloud/type': options.availability,
        ...options.labels,
      },
      ...((annotations || version) && { annotations: { ...version, ...annotations } }),
    },
    spec: {
      replicas: process.replicas,
      ...(strategy && { strategy }),
      selector: { matchLabels: labels },
      template: {
        metadata: {
          labels: { ...labels, ...options.podLabels, ...deployment.podLabels },
          ...(deployment.scrapeAnnotations && {
            annotations: {
              'prometheus.io/scrape': 'true',
              'prometheus.io/port': '8080',
              'prometheus.io/name': `trellis-${program}`,
            },
          }),
        },
        spec: {
          serviceAccountName: name,
          enableServiceLinks: false,
          ...(deployment.imagePullSecrets.length > 0 && {
            imagePullSecrets: deployment.imagePullSecrets.map(secret => ({ name: secret })),
          }),
          ...(priorityClassName !== undefined && { priorityClassName }),
          terminationGracePeriodSeconds: options.terminationGrace,
          topologySpreadConstraints: [
            {
              maxSkew: 1,
              topologyKey: 'kubernetes.io/hostname',
              whenUnsatisfiable: 'ScheduleAnyway',
              labelSelector: { matchLabels: labels },
            },
          ],
          containers: [
            {
              name: program,
              image: deployment.image(options.image ?? program),
              env: lastOfEach([...options.env, ...process.env]),
              ports: [...(options.ports ?? []), { name: 'metrics', containerPort: 8080 }],
              readinessProbe: { ...probe('/health/readiness'), periodSeconds: options.readinessPeriod },
              livenessProbe: { ...probe('/health/liveness'), periodSeconds: 30, timeoutSeconds: 5 },
              resources: {
                requests: { cpu: process.resources.cpu, memory: process.resources.memory },
                limits: { memory: process.resources.memoryLimit },
              },
              securityContext: restrictedContainer,
              ...(mounted.length > 0 && {
                volumeMounts: mounted.map(({ volume: { name }, mountPath }) => ({
                  name,
                  mountPath,
                  readOnly: true,
                })),
              }),
            },
          ],
          ...(mounted.length > 0 && { volumes: mounted.map(({ volume }) => volume) }),
        },
      },
    },
  }
}

const probe = (path: string): Json<V1Probe> => ({ httpGet: { path, port: 'metrics' } })

/** At most one pod is evicted at a time. An unready one may always be evicted. */
export const processBudget = (
  { namespace }: Pick<Deployment, 'namespace'>,
  name: string,
): Rendered<V1PodDisruptionBudget> => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name, namespace },
  spec: {
    maxUnavailable: 1,
    unhealthyPodEvictionPolicy: 'AlwaysAllow',
    selector: { matchLabels: { app: name } },
  },
})
