import type { KubernetesObject } from '../shared/kubernetes/kubernetes.ts'
import { type FunctionDefinition, type FunctionService, functionService } from '../shared/runtime/runtime.ts'
import type { WebhookDefinition } from '../shared/webhooks/admission/admission.ts'
import type { deploymentModes } from './choices.ts'
import type { Explained } from './objects/explained.ts'

/** Resources of one container, as Kubernetes quantities. */
export interface ContainerResources {
  readonly cpu: string
  readonly memory: string
  readonly memoryLimit: string
}

export interface EnvironmentVariable {
  readonly name: string
  readonly value: string
}

/** A process that runs permanently. */
export interface DeployedProcess {
  readonly replicas: number
  readonly resources: ContainerResources
  /** Added to the default variables. */
  readonly env: readonly EnvironmentVariable[]
}

/** Delivery settings of a Broker. Durations are ISO 8601. */
export interface BrokerDelivery {
  readonly retry: number
  readonly backoffPolicy: 'exponential' | 'linear'
  readonly backoffDelay: string
  readonly timeout: string
  /** Default: the bridge, which sends the event again. */
  readonly deadLetterSink?: { readonly uri: string }
}

/** Selects pods of another namespace. Without labels: all of them. */
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
  /** Added to the default annotations of every Broker. */
  readonly annotations: Readonly<Record<string, string>>
  /** `spec.config`: the reference to the settings of its class. */
  readonly config?: {
    readonly apiVersion: string
    readonly kind: string
    readonly name: string
    readonly namespace?: string
  }
  /** The objects that `config` references, if they are created here. */
  readonly configObjects?: readonly Explained[]
  /** Network policies for the pods of its class, if they run beside the functions. */
  readonly policies?: readonly Explained[]
  /** Overrides of the default delivery. */
  readonly delivery: Partial<BrokerDelivery>
  /** The cluster for the RabbitMQ profile. Default: `rabbitmq` in the namespace `rabbitmq`. */
  readonly rabbitmq?: RabbitmqCluster
  /** Returns the annotations that the class requires on a Trigger, for the Service of its function. */
  readonly triggerAnnotations?: (service: FunctionService) => Readonly<Record<string, string>>
}

/** A process that hosts several functions. */
export interface CompactProgram {
  /**
   * `<provider>-compact`: the name of its image, its Service and its account, or of its folder in the image of the seed
   * process.
   */
  readonly name: string
  readonly functions: readonly FunctionDefinition[]
  /** Added to the variables of its functions. Overrides variables with the same name. */
  readonly env?: readonly EnvironmentVariable[]
}

/** The Secrets with the access to the garden, named by gardenlet. */
export interface GardenAccess {
  /** The Secret with the key `kubeconfig`, which contains the path of the token. */
  readonly kubeconfigSecret: string
  /** The Secret with the key `token`, which is renewed. */
  readonly tokenSecret: string
}

/** Settings for the admission of a virtual garden. */
export interface GardenAdmission {
  /**
   * The name of the Deployment, its objects and its Lease: gardener-operator installs the admission of all extensions
   * into one namespace. At most 63 characters, because it is also a pod label.
   */
  readonly name: string
  /** The account in the virtual garden. Default: name and namespace of the process's own account. */
  readonly account?: { readonly name: string; readonly namespace: string }
  /**
   * The Secret with the key `kubeconfig`. Absent: another controller injects it and sets its path
   * (`GARDEN_KUBECONFIG`).
   */
  readonly kubeconfigSecret?: string
  /**
   * The namespace of the virtual garden that owns the configurations, so that they are deleted with it. Default: the
   * name of the process's own namespace.
   */
  readonly ownerNamespace?: string
  /** The PriorityClass of its pods. Absent: that of the cluster. */
  readonly priorityClassName?: string | undefined
}

export interface DeployedMonitoring {
  /** The namespace that the Prometheus and the Plutono of a seed read: `garden`. */
  readonly namespace: string
  /** The Prometheus of the seed, by its selector label `prometheus`: `seed`. */
  readonly prometheus: string
}

export { deploymentModes } from './choices.ts'
export type DeploymentMode = (typeof deploymentModes)[number]

/**
 * All options of an installation of Trellis in a seed. `deployedObjects` derives its objects. Every operator setting is
 * a field here, so that files, chart, tests and sandbox share one source.
 */
export interface Deployment {
  /**
   * Part of the names of cluster-scoped objects, because two installations may share a cluster: the name of the
   * ControllerRegistration.
   */
  readonly name: string
  readonly namespace: string
  /** If true, also creates the namespace. gardenlet creates that of an extension. */
  readonly makesNamespace: boolean
  readonly mode: DeploymentMode
  /**
   * The version of the library that generates the objects: the annotation of each workload. It defines the contract of
   * events and annotations between bridge and functions, also for the functions of an author. Absent: no annotation.
   */
  readonly libraryVersion?: string | undefined
  /** The name of the seed, in the source of every event. */
  readonly seed: string
  /**
   * Returns the image of a program with its registry: `bridge`, `webhook`, `seed`, the name of a function, or
   * `<provider>-compact`.
   */
  readonly image: (program: string) => string
  readonly imagePullSecrets: readonly string[]
  /** Images that override the defaults: the text of an image vector. Default: none. */
  readonly imageVector?: string
  readonly functions: readonly FunctionDefinition[]
  /** The `functions` that share a process. Each other function has its own process. */
  readonly compact: readonly CompactProgram[]
  /** The webhooks of the seed, its shoots and the garden. Each part takes its own. */
  readonly webhooks: readonly WebhookDefinition[]
  readonly gardenAdmission: GardenAdmission
  /** CustomResourceDefinitions and project roles in the virtual garden. */
  readonly gardenObjects: readonly KubernetesObject[]
  /** Returns the settings of a function's Knative Service: those of its definition, or the overrides of an operator. */
  readonly serviceOf: (definition: FunctionDefinition) => FunctionService
  readonly bridge: DeployedProcess
  /** Replaces `bridge` in the mode `seed-process`. Its memory includes the processes of functions. */
  readonly seedProcess: DeployedProcess
  readonly webhook: DeployedProcess
  readonly broker: DeployedBroker
  readonly logLevel: string
  /**
   * ControllerRegistrations with heartbeats from the bridge, in the syntax of `TRELLIS_EXTENSIONS`:
   * `provider-foo/foo+foo-dns`.
   */
  readonly extensions: readonly string[]
  /** The priority class of bridge and webhooks. Default: that of the cluster. */
  readonly priorityClassName?: string | undefined
  /** If true, creates network policies. They require Gardener's policies in the same namespace. */
  readonly networkPolicies: boolean
  /** The pods, besides the activator, through which Knative Serving routes cluster requests to functions. */
  readonly gateways: readonly PodsOfNamespace[]
  /** If true, creates EventPolicies. Knative refuses them while its feature `authentication-oidc` is off. */
  readonly eventPolicies: boolean
  /** If true, creates VerticalPodAutoscalers. Their kind exists in every cluster of Gardener. */
  readonly verticalScaling: boolean
  /** The monitoring of the installation. Absent: none. */
  readonly monitoring?: DeployedMonitoring
  /**
   * If true, permanent pods have the annotations by which Gardener's Prometheus finds extensions. Default: false with
   * `monitoring`, because every metric would be counted twice.
   */
  readonly scrapeAnnotations: boolean
  /** Added to the labels of every pod. */
  readonly podLabels: Readonly<Record<string, string>>
  /**
   * Returns the garden access of a function, for which nothing is injected. Undefined: it has no access to the garden.
   */
  readonly gardenAccess: (definition: FunctionDefinition) => GardenAccess | undefined
}

/**
 * A placeholder for a required registry. It is never resolved, because no name in the domain `invalid` is (RFC 6761).
 */
export const unnamedRegistry = 'registry.invalid/trellis'

/** Returns a deployment with defaults for all other fields. */
export const deploymentOf = (given: Partial<Deployment> = {}): Deployment => ({
  name: 'trellis',
  namespace: 'trellis',
  makesNamespace: true,
  mode: 'knative',
  seed: 'seed',
  image: program => `${unnamedRegistry}/${program}:latest`,
  imagePullSecrets: [],
  functions: [],
  compact: [],
  webhooks: [],
  gardenObjects: [],
  gardenAdmission: {
    name: 'admission',
    kubeconfigSecret: 'admission-garden-kubeconfig',
    priorityClassName: 'gardener-garden-system-400',
  },
  serviceOf: ({ service }) => functionService(service),
  bridge: { replicas: 2, resources: { cpu: '20m', memory: '112Mi', memoryLimit: '512Mi' }, env: [] },
  seedProcess: { replicas: 1, resources: { cpu: '20m', memory: '96Mi', memoryLimit: '1Gi' }, env: [] },
  webhook: { replicas: 2, resources: { cpu: '20m', memory: '100Mi', memoryLimit: '384Mi' }, env: [] },
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
