import {
  type FunctionDefinition,
  type FunctionService,
  functionService,
} from '../../shared/runtime/runtime.ts'
import type { WebhookDefinition } from '../../shared/webhooks/admission/admission.ts'
import type { Explained } from './objects/explained.ts'

/** Of one container; quantities of Kubernetes. */
export interface ContainerResources {
  readonly cpu: string
  readonly memory: string
  readonly memoryLimit: string
}

export interface EnvironmentVariable {
  readonly name: string
  readonly value: string
}

/** A process that always runs. */
export interface DeployedProcess {
  readonly replicas: number
  readonly resources: ContainerResources
  /** On top of what it gets anyway. */
  readonly env: readonly EnvironmentVariable[]
}

/** How a Broker delivers; durations in ISO 8601. */
export interface BrokerDelivery {
  readonly retry: number
  readonly backoffPolicy: 'exponential' | 'linear'
  readonly backoffDelay: string
  readonly timeout: string
}

/** Pods of another namespace. Without labels: all of them. */
export interface PodsOfNamespace {
  readonly namespace: string
  readonly labels?: Readonly<Record<string, string>>
}

/** A RabbitmqCluster of RabbitMQ's operator. */
export interface RabbitmqCluster {
  readonly name: string
  readonly namespace: string
}

export interface DeployedBroker {
  readonly name: string
  /** `eventing.knative.dev/broker.class`. Absent: the cluster's default. */
  readonly class?: string
  /** On top of those that every Broker gets. */
  readonly annotations: Readonly<Record<string, string>>
  /** `spec.config`: where the settings of its class are. */
  readonly config?: {
    readonly apiVersion: string
    readonly kind: string
    readonly name: string
    readonly namespace?: string
  }
  /** What `config` refers to, where it is made here. */
  readonly configObjects?: readonly Explained[]
  /** What lets the pods of its class through, where they run beside the functions. */
  readonly policies?: readonly Explained[]
  /** What differs from the delivery of every Broker. */
  readonly delivery: Partial<BrokerDelivery>
  /** The pods that take its events. Absent: those of the classes that there are profiles for. */
  readonly ingress?: PodsOfNamespace
  /** Where the events of the profile for RabbitMQ are. Absent: `rabbitmq` in the namespace `rabbitmq`. */
  readonly rabbitmq?: RabbitmqCluster
  /** What the class asks of each Trigger, by the Service that it leads to. */
  readonly triggerAnnotations?: (service: FunctionService) => Readonly<Record<string, string>>
}

/** A process that hosts several functions, and the image of which it is made. */
export interface CompactProgram {
  /** Of its image, its Service and its account: `<provider>-compact`. */
  readonly name: string
  readonly functions: readonly FunctionDefinition[]
  /** How many pods there may be. Absent: the least of its functions. */
  readonly maxScale?: number
  /** How many events a pod takes at a time. Absent: the sum of its functions. */
  readonly concurrency?: number
  /** On top of what its functions have, and in place of variables of the same names. */
  readonly env?: readonly EnvironmentVariable[]
}

/** The Secrets by which a process reaches the garden, as gardenlet names them. */
export interface GardenAccess {
  /** With the key `kubeconfig`, which names the file of the token. */
  readonly kubeconfigSecret: string
  /** With the key `token`, which is renewed. */
  readonly tokenSecret: string
}

/** How admission gets to the virtual garden. */
export interface GardenAdmission {
  /**
   * Of the Deployment, of what belongs to it and of its Lease: gardener-operator installs admission of all extensions into one
   * namespace. At most 63 characters, as pods have it as a label.
   */
  readonly name: string
  /** The account in the virtual garden. Absent: the name and namespace of that of the process. */
  readonly account?: { readonly name: string; readonly namespace: string }
  /** The Secret with the key `kubeconfig`. Absent: somebody injects it, and says where (`GARDEN_KUBECONFIG`). */
  readonly kubeconfigSecret?: string
  /** The namespace of the virtual garden with which its configurations go. Absent: that of the name of the process's own. */
  readonly ownerNamespace?: string
}

/** For whom the installation is watched. */
export interface DeployedMonitoring {
  /** Where the Prometheus and the Plutono of a seed look: `garden`. */
  readonly namespace: string
  /** Which Prometheus of the seed, by the label `prometheus` that it selects by: `seed`. */
  readonly prometheus: string
}

/**
 * All that an installation of Trellis in a seed may differ by. What it consists of follows: `deployedObjects`. Whatever an
 * operator sets is a field here, so that files, chart, tests and sandbox come from one place.
 */
export interface Deployment {
  /** In the names of objects without a namespace, as two installations share a cluster: that of the ControllerRegistration. */
  readonly name: string
  /** Where all of it lives. */
  readonly namespace: string
  /** Whether the namespace is made, too: that of an extension is gardenlet's. */
  readonly makesNamespace: boolean
  /** The name of the seed, in the source of every event. */
  readonly seed: string
  /**
   * The image of a program, with its registry: `bridge`, `webhook`, the name of a function, or `<provider>-compact`.
   */
  readonly image: (program: string) => string
  readonly imagePullSecrets: readonly string[]
  readonly functions: readonly FunctionDefinition[]
  /** Those of `functions` that share a process; each of the others has one of its own. */
  readonly compact: readonly CompactProgram[]
  /** Those of the seed and its shoots, and of the garden; each part takes its own. */
  readonly webhooks: readonly WebhookDefinition[]
  readonly gardenAdmission: GardenAdmission
  /** What the Knative Service of a function has: what its definition says, or an operator in its place. */
  readonly serviceOf: (definition: FunctionDefinition) => FunctionService
  /** Of every function, on top of what it gets anyway. */
  readonly functionEnv: readonly EnvironmentVariable[]
  readonly bridge: DeployedProcess
  readonly webhook: DeployedProcess
  readonly broker: DeployedBroker
  /** Least level that is logged. */
  readonly logLevel: string
  /** ControllerRegistrations with heartbeats from the bridge, in the syntax of `TRELLIS_EXTENSIONS`: `provider-foo/foo+foo-dns`. */
  readonly extensions: readonly string[]
  /** Of bridge and webhooks. Absent: the cluster's default. */
  readonly priorityClassName?: string | undefined
  /** Whether there are network policies, which take Gardener's in the same namespace for granted. */
  readonly networkPolicies: boolean
  /** The pods by which Knative Serving brings requests of the cluster to functions, beside its activator. */
  readonly gateways: readonly PodsOfNamespace[]
  /** Whether there are EventPolicies; Knative refuses them while its feature `authentication-oidc` is off. */
  readonly eventPolicies: boolean
  /** Whether there are VerticalPodAutoscalers; their kind is there wherever Gardener is. */
  readonly verticalScaling: boolean
  /** What watches the installation. Absent: nothing. */
  readonly monitoring?: DeployedMonitoring
  /**
   * Whether pods that always run have annotations by which Gardener's Prometheus finds those of extensions. With `monitoring`
   * they have none unless it is said: everything would be counted twice.
   */
  readonly scrapeAnnotations: boolean
  /** On every pod, beside those of its own. */
  readonly podLabels: Readonly<Record<string, string>>
  /** For a function, which gets nothing injected. Undefined: it does not reach the garden. */
  readonly gardenAccess: (definition: FunctionDefinition) => GardenAccess | undefined
}

/** Where a registry has to be named: nothing is looked up there, as no name of the domain `invalid` is ever resolved (RFC 6761). */
export const unnamedRegistry = 'registry.invalid/trellis'

/** A deployment by what differs from the usual one. */
export const deploymentOf = (given: Partial<Deployment> = {}): Deployment => ({
  name: 'trellis',
  namespace: 'trellis',
  makesNamespace: true,
  seed: 'seed',
  image: program => `${unnamedRegistry}/${program}:latest`,
  imagePullSecrets: [],
  functions: [],
  compact: [],
  webhooks: [],
  gardenAdmission: { name: 'admission', kubeconfigSecret: 'admission-garden-kubeconfig' },
  serviceOf: ({ service }) => functionService(service),
  functionEnv: [],
  bridge: {
    replicas: 2,
    resources: { cpu: '20m', memory: '112Mi', memoryLimit: '512Mi' },
    env: [],
  },
  webhook: {
    replicas: 2,
    resources: { cpu: '20m', memory: '100Mi', memoryLimit: '384Mi' },
    env: [],
  },
  broker: { name: 'default', annotations: {}, delivery: {} },
  logLevel: 'info',
  extensions: [],
  priorityClassName: 'gardener-system-900',
  networkPolicies: true,
  gateways: [
    { namespace: 'kourier-system' },
    { namespace: 'istio-system' },
    { namespace: 'contour-internal' },
  ],
  eventPolicies: true,
  verticalScaling: true,
  scrapeAnnotations: given.monitoring === undefined,
  podLabels: {},
  gardenAccess: () => undefined,
  ...given,
})
