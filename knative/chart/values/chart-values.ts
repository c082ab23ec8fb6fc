import * as z from 'zod'
import { extensionEntry } from '../../../bridge/bridge.ts'
import { logLevels } from '../../../shared/log/log.ts'
import { type FunctionDefinition, functionService } from '../../../shared/runtime/runtime.ts'
import {
  compactPrograms,
  type DeployedMonitoring,
  deploymentModes,
  deploymentOf,
  profileNames,
  usualRabbitmq,
} from '../../knative.ts'

/** A function and its file, which identifies its provider. */
export type LocatedFunction = FunctionDefinition & { readonly file: string }

export interface ChartContents {
  readonly functions: readonly LocatedFunction[]
  /** The components of the webhooks of seeds and shoots: `provider-aws`. */
  readonly components: readonly string[]
  /** Returns true if an item is installed by default; the others are optional. */
  readonly isEnabled: (nameOrComponent: string) => boolean
}

/**
 * A registry has a dot or a port in its name, or is localhost: any other name would be looked up in a public registry.
 * No pattern here has a lookahead, which Helm's expressions do not support.
 */
const registryPattern = /^$|^(?:localhost(?::[0-9]+)?|[a-z0-9-]+[.:][a-z0-9.:-]*)(?:\/[a-z0-9._-]+)*$/
const imagePattern =
  /^(?:localhost(?::[0-9]+)?|[a-z0-9-]+[.:][a-z0-9.:-]*)(?:\/[a-z0-9._-]+)+(?::[A-Za-z0-9._-]+)?(?:@sha256:[0-9a-f]{64})?$/

const quantity = (description: string) =>
  z
    .string()
    .regex(/^\d+(?:\.\d+)?(?:m|[kKMGT]i?)?$/, 'expected a quantity such as 128Mi or 50m')
    .meta({ description })

const duration = (description: string) =>
  z
    .string()
    .regex(/^PT(?:(?:\d+M)?\d+(?:\.\d+)?S|\d+M)$/, 'expected a duration such as PT75S or PT1M15S')
    .meta({ description })

const environment = (of: string) =>
  z
    .record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/), z.string())
    .default({})
    .meta({ description: `Environment variables of ${of} by name. They override defaults.` })

const dnsName = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
export const nameValue = (name: string, description: string) =>
  z.string().regex(dnsName).default(name).meta({ description })
export const text = (description: string) => z.string().default('').meta({ description })
export const flag = (isOn: boolean, description: string) => z.boolean().default(isOn).meta({ description })
export const labels = (description: string) =>
  z.record(z.string(), z.string()).default({}).meta({ description })
export const open = (description: string) => z.looseObject({}).default({}).meta({ description })
export const group = <Shape extends z.ZodRawShape>(description: string, shape: Shape) =>
  z
    .strictObject(shape)
    .prefault({} as never)
    .meta({ description })

/** A map with uniform entries, for some of the names. */
const someOf = <Entry extends z.ZodType>(
  names: readonly string[],
  entry: Entry,
): z.ZodType<Readonly<Record<string, z.output<Entry> | undefined>>> =>
  names.length === 0 ? z.strictObject({}) : z.partialRecord(z.enum(names), entry)

/** The location of the objects for the Prometheus of Gardener's seeds. */
const usualMonitoring: DeployedMonitoring = { namespace: 'garden', prometheus: 'seed' }

/** The default installation, and the default function. */
const usual = deploymentOf()
const usualFunction = functionService({})

const functionValues = () =>
  z
    .strictObject({
      enabled: flag(
        false,
        'Installs the function. Register its kind and types with Gardener for this release.',
      ),
      maxScale: z
        .int()
        .min(1)
        .default(usualFunction.maxScale.value)
        .meta({ description: 'Maximum number of pods.' }),
      concurrency: z
        .int()
        .min(0)
        .max(1_000)
        .default(usualFunction.concurrency.value)
        .meta({ description: 'Events that a pod handles in parallel. 0: no limit.' }),
      cpu: quantity('CPU request of a pod: 50m is a twentieth of a core.').default(usualFunction.cpu),
      memory: group('Memory of a pod.', {
        request: quantity('Memory request.').default(usualFunction.memory.request),
        limit: quantity('Memory limit.').default(usualFunction.memory.limit),
      }),
      gardenAccess: flag(
        false,
        'Mounts a kubeconfig of the garden (GARDEN_KUBECONFIG). Requires injectGardenKubeconfig in the ControllerDeployment.',
      ),
      env: environment('the function'),
    })
    .prefault({})

export const definedValues = ({ functions, components, isEnabled }: ChartContents) => ({
  functions: Object.fromEntries(
    functions.map(({ name, service }) => {
      const { maxScale, concurrency, cpu, memory } = functionService(service)
      const [enabled, scale, events] = [isEnabled(name), maxScale.value, concurrency.value]
      return [name, { enabled, maxScale: scale, concurrency: events, cpu, memory }]
    }),
  ),
  webhook: { components: definedComponents(components, isEnabled) },
})

export const definedComponents = (
  components: readonly string[],
  isEnabled: ChartContents['isEnabled'],
): Readonly<Record<string, object>> =>
  Object.fromEntries(components.map(component => [component, { enabled: isEnabled(component) }]))

export const processValues = (
  name: string,
  {
    memory,
    memoryLimit,
    replicas = 2,
  }: { readonly memory: string; readonly memoryLimit: string; readonly replicas?: number },
) => ({
  replicas: z
    .int()
    .min(1)
    .default(replicas)
    .meta({ description: `Pods of ${name}. One of them is active.` }),
  resources: group('CPU and memory of a pod.', {
    cpu: quantity('CPU request.').default('20m'),
    memory: quantity('Memory request.').default(memory),
    memoryLimit: quantity('Memory limit.').default(memoryLimit),
  }),
  env: environment(name),
})

export const priorityClassValue = (usual: string, what: string) =>
  z
    .string()
    .default(usual)
    .meta({
      description: `PriorityClass of ${what}. gardener-operator overrides it in the runtime cluster of a garden. Empty: none.`,
    })

export const imageValue = (program: string) =>
  z
    .string()
    .regex(
      imagePattern,
      'expected an image with its registry, such as registry.example.com/trellis/bridge:1.2.3',
    )
    .meta({ description: `Image of ${program}, including its registry.` })

/**
 * The location of images. There is no default registry, because its owner would decide what runs in the seeds of
 * operators who forget to set it.
 */
export const imageValues = () =>
  group('The location of images.', {
    registry: z
      .string()
      .regex(registryPattern, 'expected a registry with its host, such as registry.example.com/trellis')
      .default('')
      .meta({
        description:
          'Registry and path of all images, without the program: registry.example.com/trellis. Required unless `images` has every image.',
      }),
    tag: z
      .string()
      .regex(/^$|^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$/)
      .default('')
      .meta({ description: 'Tag of all images. Default: the version of the chart.' }),
    pullSecrets: z.array(z.string().min(1)).default([]).meta({
      description: 'Names of Secrets with credentials of the registry, in the namespace of the release.',
    }),
  })

/** The components of webhooks that are served, by name. */
export const componentValues = (components: readonly string[], enabled: string) =>
  someOf(components, z.strictObject({ enabled: flag(false, enabled) }).prefault({})).prefault({})

/** The values of the chart, each with a description; `values.yaml`, its schema and its table are generated from it. */
export const chartValuesSchema = ({ functions, components }: Omit<ChartContents, 'isEnabled'>) => {
  const names = functions.map(({ name }) => name)
  const programs = compactPrograms(functions).map(({ name }) => name)
  const values = z.strictObject({
    mode: z.enum(deploymentModes).default('knative').meta({
      description:
        'knative: a Broker delivers events to Knative Services. seed-process: one Deployment starts the functions without Knative, for small seeds.',
    }),
    seed: text(
      'Name of the seed, in the source of every event. Default: the name from gardenlet (gardener.seed.name). Required with plain Helm.',
    ),
    image: imageValues(),
    images: someOf(['bridge', 'webhook', 'seed', ...names, ...programs], imageValue('the program'))
      .default({})
      .meta({
        description:
          'Images of single programs, with registry and preferably digest, as `make images` writes them: {"bridge": "registry.example.com/trellis/bridge@sha256:…"}.',
      }),
    imageVectorOverwrite: text(
      'Images that functions and webhooks install, in place of their defaults: an image vector of Gardener, as YAML text. Each change starts new pods.',
    ),
    compact: flag(
      false,
      'Runs all functions of a provider in one process, with its compact image. maxScale is the minimum of the functions, concurrency their sum; their cpu and memory are ignored. The seed process always does so.',
    ),
    logLevel: z.enum(logLevels).default('info').meta({ description: 'Minimum level of logged lines.' }),
    functions: someOf(names, functionValues()).prefault({}).meta({
      description: 'The functions. Another extension may serve the kinds of those that are not enabled.',
    }),
    functionEnv: environment('all functions'),
    bridge: group(
      'The bridge: it watches the objects and sends the events.',
      processValues('the bridge', { memory: '112Mi', memoryLimit: '512Mi' }),
    ),
    seedProcess: group(
      'The seed process: the bridge and the functions. Replaces `bridge` in its mode.',
      processValues('the seed process', { replicas: 1, memory: '96Mi', memoryLimit: '1Gi' }),
    ),
    webhook: group('The webhooks of the seed and its shoots.', {
      components: componentValues(
        components,
        'Serves the webhooks of the component. No other program may register them.',
      ).meta({ description: 'The components with webhooks.' }),
      ...processValues('the webhooks', { memory: '100Mi', memoryLimit: '384Mi' }),
    }),
    broker: brokerValues(),
    monitoring: group('The monitoring of the installation.', {
      enabled: flag(
        false,
        'Creates monitors, rules, dashboards and log filters, and omits the Prometheus annotations of pods. Every cluster of Gardener has their kinds.',
      ),
      namespace: nameValue(
        usualMonitoring.namespace,
        'The namespace that the Prometheus and the Plutono of the seed read.',
      ),
      prometheus: nameValue(
        usualMonitoring.prometheus,
        'Label prometheus, by which a Prometheus selects its monitors and rules.',
      ),
    }),
    networkPolicies: group('Network policies of the namespace.', {
      enabled: flag(
        true,
        "Creates NetworkPolicies in addition to Gardener's: functions accept requests from Knative, the bridge reaches the Broker, and accepts functions and the Prometheus of the seed.",
      ),
      gateways: z
        .array(
          z.strictObject({
            namespace: z.string().regex(dnsName).meta({ description: 'Namespace of the pods.' }),
            labels: labels('Labels of the pods. Default: all pods of the namespace.'),
          }),
        )
        .default(usual.gateways.map(({ namespace, labels: own = {} }) => ({ namespace, labels: own })))
        .meta({
          description:
            'Pods, other than the activator, through which Knative Serving routes requests inside the cluster to functions.',
        }),
    }),
    eventPolicies: group('EventPolicies of the Broker.', {
      enabled: flag(
        false,
        'Allows only the bridge to send to the Broker. Requires the feature authentication-oidc of Knative Eventing; without it, Knative refuses EventPolicies.',
      ),
    }),
    verticalPodAutoscaler: group('VerticalPodAutoscalers.', {
      enabled: flag(
        true,
        'Adjusts the requests of bridge and webhooks to their usage. Every cluster of Gardener has the kind.',
      ),
    }),
    extensions: z.array(z.string().regex(extensionEntry)).default([]).meta({
      description:
        'ControllerRegistrations whose heartbeats the bridge renews, each with its types: provider-foo/foo+foo-dns. Without types: all installed ones. Default: the name of the release.',
    }),
    priorityClassName: priorityClassValue('gardener-system-900', 'bridge and webhooks'),
    podLabels: labels('Labels that are added to all pods.'),
    gardener: open('Values from gardenlet and gardener-operator. Do not set them.'),
    global: open("Helm's values for charts that contain this one."),
    usablePorts: z
      .array(z.int())
      .default([])
      .meta({ description: 'Value from gardenlet while a self-hosted control plane starts.' }),
  })
  return values.refine(
    ({ mode, broker }) => mode === 'knative' || (broker.profile === '' && broker.class === ''),
    { path: ['broker'], message: 'the mode seed-process has no broker: remove profile and class' },
  )
}

const brokerValues = () =>
  z
    .strictObject({
      name: nameValue('default', 'Name of the Broker.'),
      profile: z
        .enum(['', ...profileNames])
        .default('')
        .meta({
          description:
            'Storage of events: sets class and config, and creates what they need. Empty: `class` and `config` apply.',
        }),
      class: text('Class of a Broker without a profile. Default: the default class of the cluster.'),
      annotations: labels('Annotations of the Broker, for its class.'),
      config: open(
        'spec.config of the Broker: apiVersion, kind, name, namespace. Default: the config of the profile.',
      ),
      rabbitmq: group('The RabbitmqCluster of the profile rabbitmq.', {
        name: z
          .string()
          .min(1)
          .default(usualRabbitmq.name)
          .meta({ description: 'Name of the RabbitmqCluster.' }),
        namespace: nameValue(usualRabbitmq.namespace, 'Namespace of the RabbitmqCluster.'),
      }),
      delivery: group('Delivery of events by the Broker.', {
        retry: z.int().min(0).default(5).meta({ description: 'Number of retries.' }),
        backoffPolicy: z
          .enum(['exponential', 'linear'])
          .default('exponential')
          .meta({ description: 'Growth of the wait before a retry.' }),
        backoffDelay: duration('First wait, in ISO 8601.').default('PT1S'),
        timeout: duration('Time limit of a delivery, in ISO 8601. Set it above the 60 s of a step.').default(
          'PT75S',
        ),
      }),
    })
    .refine(({ profile, class: own }) => profile === '' || own === '', {
      path: ['class'],
      message: 'a profile sets the class: remove class or profile',
    })
    .prefault({})
    .meta({ description: 'The Broker between the bridge and the functions.' })

export type ChartValues = z.output<ReturnType<typeof chartValuesSchema>>
