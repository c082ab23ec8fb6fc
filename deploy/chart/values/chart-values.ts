import * as z from 'zod'
import { extensionEntry } from '../../../bridge/bridge.ts'
import { logLevels } from '../../../shared/log/log.ts'
import { type FunctionDefinition, functionService } from '../../../shared/runtime/runtime.ts'
import {
  compactPrograms,
  type DeployedMonitoring,
  deploymentOf,
  profileNames,
  usualRabbitmq,
} from '../../knative/knative.ts'

/** A function and its file, which identifies its provider. */
export type LocatedFunction = FunctionDefinition & { readonly file: string }

/** The input of a chart. */
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
export const imagePattern =
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

const environment = (whose: string) =>
  z
    .record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/), z.string())
    .default({})
    .meta({
      description: `Environment variables of ${whose} by name. They override its own variables.`,
    })

export const dnsName = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
export const text = (description: string) => z.string().default('').meta({ description })
export const labels = (description: string) =>
  z.record(z.string(), z.string()).default({}).meta({ description })

export const open = (description: string) => z.looseObject({}).default({}).meta({ description })

const pods = {
  namespace: z.string().regex(dnsName).meta({ description: 'Their namespace.' }),
  labels: labels('Labels of the pods. Empty: all pods of the namespace.'),
}

/** Where the Prometheus of Gardener's seeds expects its objects. */
const usualMonitoring: DeployedMonitoring = { namespace: 'garden', prometheus: 'seed' }

/** The default installation. */
const usual = deploymentOf()

const functionValues = (definition: FunctionDefinition, enabled: boolean) => {
  const { maxScale, concurrency, cpu, memory } = functionService(definition.service)
  return z
    .strictObject({
      enabled: z.boolean().default(enabled).meta({
        description:
          'If true, the function is installed. Register its kind and types with Gardener for this release.',
      }),
      maxScale: z.int().min(1).default(maxScale.value).meta({ description: 'Maximum number of pods.' }),
      concurrency: z
        .int()
        .min(0)
        .max(1_000)
        .default(concurrency.value)
        .meta({ description: 'Maximum number of concurrent events of a pod; 0: no limit.' }),
      cpu: quantity('CPU request of a pod: 50m is a twentieth of a core.').default(cpu),
      memory: z
        .strictObject({
          request: quantity('Memory request of a pod.').default(memory.request),
          limit: quantity('Memory limit of a pod.').default(memory.limit),
        })
        .prefault({})
        .meta({ description: 'Memory of a pod.' }),
      gardenAccess: z.boolean().default(false).meta({
        description:
          'If true, its pods get a kubeconfig of the garden (GARDEN_KUBECONFIG). Requires injectGardenKubeconfig in the ControllerDeployment.',
      }),
      env: environment('the function'),
    })
    .prefault({})
    .meta({
      description: `Kind ${definition.kind}, type ${definition.types.join(', ')}.`,
    })
}

export const processValues = (
  whose: string,
  { memory, memoryLimit }: { readonly memory: string; readonly memoryLimit: string },
) => ({
  replicas: z
    .int()
    .min(1)
    .default(2)
    .meta({ description: `Number of replicas of ${whose}; one of them is active.` }),
  resources: z
    .strictObject({
      cpu: quantity('Memory request of a pod.').default('20m'),
      memory: quantity('Memory request of a pod.').default(memory),
      memoryLimit: quantity('Memory limit of a pod.').default(memoryLimit),
    })
    .prefault({})
    .meta({ description: 'CPU and memory of a pod.' }),
  env: environment(whose),
})

/**
 * The location of images. There is no default registry, because its owner would decide what runs in the seeds of
 * operators who forget to set it.
 */
export const imageValues = () =>
  z
    .strictObject({
      registry: z
        .string()
        .regex(registryPattern, 'expected a registry with its host, such as registry.example.com/trellis')
        .default('')
        .meta({
          description:
            'Registry and path of all images: registry.example.com/trellis. The name of the program is appended. Required unless images has every program.',
        }),
      tag: z
        .string()
        .regex(/^$|^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$/)
        .default('')
        .meta({ description: 'Tag of all images. Empty: the version of the chart.' }),
      pullSecrets: z.array(z.string().min(1)).default([]).meta({
        description: 'Names of the Secrets with registry credentials, in the namespace of the release.',
      }),
    })
    .prefault({})
    .meta({ description: 'Registry, tag and pull secrets of the images.' })

interface ComponentTexts {
  readonly isEnabled: (component: string) => boolean
  /** Returns the description of `enabled` for a component. */
  readonly says: (component: string) => string
  readonly of: (component: string) => string
}

/** The components of webhooks that are served, by name. */
export const componentValues = (components: readonly string[], { isEnabled, says, of }: ComponentTexts) =>
  z
    .strictObject(
      Object.fromEntries(
        components.map(component => [
          component,
          z
            .strictObject({
              enabled: z
                .boolean()
                .default(isEnabled(component))
                .meta({ description: says(component) }),
            })
            .prefault({})
            .meta({ description: of(component) }),
        ]),
      ),
    )
    .prefault({})

/** The values of the chart, each with a description; `values.yaml`, its schema and its table are generated from it. */
export const chartValuesSchema = ({ functions, components, isEnabled }: ChartContents) =>
  z.strictObject({
    seed: text(
      'Name of the seed, in the source of every event. Empty: gardenlet sets it (gardener.seed.name). Required with plain Helm.',
    ),
    image: imageValues(),
    images: z
      .strictObject(
        Object.fromEntries(
          [
            'bridge',
            'webhook',
            ...functions.map(({ name }) => name),
            ...compactPrograms(functions).map(({ name }) => name),
          ].map(program => [
            program,
            z
              .string()
              .regex(
                imagePattern,
                `expected an image with its registry, such as registry.example.com/trellis/${program}:0.1.0`,
              )
              .exactOptional()
              .meta({ description: `Image of ${program}, including its registry.` }),
          ]),
        ),
      )
      .default({})
      .meta({
        description:
          'Images of single programs, including the registry, preferably by digest, as `make images` writes them: {"bridge": "registry.example.com/trellis/bridge@sha256:…"}.',
      }),
    compact: z.boolean().default(false).meta({
      description:
        'If true, all functions of a provider share one process, with the image <provider>-compact. maxScale is the minimum of the functions and concurrency their sum; cpu and memory of functions are ignored.',
    }),
    logLevel: z.enum(logLevels).default('info').meta({ description: 'Minimum level of log lines.' }),
    functions: z
      .strictObject(
        Object.fromEntries(
          functions.map(definition => [
            definition.name,
            functionValues(definition, isEnabled(definition.name)),
          ]),
        ),
      )
      .prefault({})
      .meta({
        description:
          'The functions. Objects of disabled functions are ignored: another extension may serve them.',
      }),
    functionEnv: environment('all functions'),
    bridge: z
      .strictObject(processValues('the bridge', { memory: '112Mi', memoryLimit: '512Mi' }))
      .prefault({})
      .meta({ description: 'The bridge, which watches the objects and sends the events.' }),
    webhook: z
      .strictObject({
        components: componentValues(components, {
          isEnabled,
          says: component =>
            `If true, this release serves the webhooks of ${component}; no other program may register them.`,
          of: component => `The webhooks of ${component}.`,
        }).meta({ description: 'Components with webhooks.' }),
        ...processValues('the webhooks', { memory: '100Mi', memoryLimit: '384Mi' }),
      })
      .prefault({})
      .meta({ description: 'The webhooks of the seed and its shoots.' }),
    broker: z
      .strictObject({
        name: z.string().regex(dnsName).default('default').meta({ description: 'Name of the Broker.' }),
        profile: z
          .enum(['', ...profileNames])
          .default('')
          .meta({
            description:
              'Storage of events: class, config and further objects of the Broker. Empty: the class below applies.',
          }),
        class: text(
          "Class of the Broker if there is no profile for it. Empty: the class of the profile, or the cluster's default.",
        ),
        annotations: labels('Annotations of the Broker that its class needs.'),
        config: open(
          'Reference in spec.config of the Broker: apiVersion, kind, name, namespace. Empty: the config of the profile.',
        ),
        rabbitmq: z
          .strictObject({
            name: z.string().min(1).default(usualRabbitmq.name).meta({ description: 'Its name.' }),
            namespace: z
              .string()
              .regex(dnsName)
              .default(usualRabbitmq.namespace)
              .meta({ description: 'Its namespace.' }),
          })
          .prefault({})
          .meta({ description: 'The RabbitmqCluster of the profile rabbitmq.' }),
        delivery: z
          .strictObject({
            retry: z.int().min(0).default(5).meta({ description: 'Number of retries of a delivery.' }),
            backoffPolicy: z
              .enum(['exponential', 'linear'])
              .default('exponential')
              .meta({ description: 'Growth of the wait between retries.' }),
            backoffDelay: duration('First wait, in ISO 8601.').default('PT1S'),
            timeout: duration(
              'Time limit of a delivery, in ISO 8601. Choose more than the 60 s of a step.',
            ).default('PT75S'),
          })
          .prefault({})
          .meta({ description: 'Delivery of the Broker.' }),
      })
      .refine(({ profile, class: own }) => profile === '' || own === '', {
        path: ['class'],
        message: 'a profile sets the class: remove class or profile',
      })
      .prefault({})
      .meta({ description: 'The Broker between the bridge and the functions.' }),
    monitoring: z
      .strictObject({
        enabled: z.boolean().default(false).meta({
          description:
            'If true, monitors, rules, a dashboard and log filters are installed. The kinds of the Prometheus and fluent-bit operators exist wherever Gardener is installed. Pods then have no annotations for Prometheus.',
        }),
        namespace: z
          .string()
          .regex(dnsName)
          .default(usualMonitoring.namespace)
          .meta({ description: "Namespace of the seed's Prometheus and Plutono." }),
        prometheus: z
          .string()
          .regex(dnsName)
          .default(usualMonitoring.prometheus)
          .meta({ description: 'Label prometheus of monitors and rules, which selects the Prometheus.' }),
      })
      .prefault({})
      .meta({ description: 'Monitoring of the installation.' }),
    networkPolicies: z
      .strictObject({
        enabled: z.boolean().default(true).meta({
          description:
            "If true, network policies are added to Gardener's: they allow traffic of Knative and of the bridge.",
        }),
        gateways: z
          .array(z.strictObject(pods))
          .default(usual.gateways.map(({ namespace, labels = {} }) => ({ namespace, labels })))
          .meta({
            description:
              'Pods of Knative Serving that send requests of the cluster to functions, besides its activator.',
          }),
      })
      .prefault({})
      .meta({ description: 'Network policies of the namespace.' }),
    eventPolicies: z
      .strictObject({
        enabled: z.boolean().default(false).meta({
          description:
            "If true, only the bridge may send to the Broker. Requires Knative's feature authentication-oidc, otherwise Knative refuses the policies.",
        }),
      })
      .prefault({})
      .meta({ description: 'EventPolicies of the Broker.' }),
    verticalPodAutoscaler: z
      .strictObject({
        enabled: z.boolean().default(true).meta({
          description:
            'If true, VerticalPodAutoscalers set the resources of bridge and webhooks. The kind exists wherever Gardener is installed.',
        }),
      })
      .prefault({})
      .meta({ description: 'VerticalPodAutoscalers.' }),
    extensions: z.array(z.string().regex(extensionEntry)).default([]).meta({
      description:
        'ControllerRegistrations whose heartbeats the bridge renews, with their types: provider-foo/foo+foo-dns. Without types: all installed types. Empty: the name of the release.',
    }),
    priorityClassName: z.string().default('gardener-system-900').meta({
      description:
        'PriorityClass of bridge and webhooks. In the runtime cluster of a garden, its own class overrides it. Empty: none.',
    }),
    podLabels: labels('Additional labels of all pods.'),
    gardener: open('Added by gardenlet and gardener-operator. Do not set it.'),
    global: open("Helm's own values for charts that include this one."),
    usablePorts: z
      .array(z.int())
      .default([])
      .meta({ description: 'Added by gardenlet while a self-hosted control plane starts.' }),
  })

export type ChartValues = z.output<ReturnType<typeof chartValuesSchema>>
