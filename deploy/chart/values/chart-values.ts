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
      description: `Environment variables of ${whose} by their names; they replace its own of these names.`,
    })

export const dnsName = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
export const text = (description: string) => z.string().default('').meta({ description })
export const labels = (description: string) =>
  z.record(z.string(), z.string()).default({}).meta({ description })

export const open = (description: string) => z.looseObject({}).default({}).meta({ description })

const pods = {
  namespace: z.string().regex(dnsName).meta({ description: 'Their namespace.' }),
  labels: labels('Their labels. None: all of the namespace.'),
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
          'Whether it is installed; its kind and types then have to be registered with Gardener for this release.',
      }),
      maxScale: z.int().min(1).default(maxScale.value).meta({ description: 'How many pods it may have.' }),
      concurrency: z
        .int()
        .min(0)
        .max(1_000)
        .default(concurrency.value)
        .meta({ description: 'How many events a pod takes at a time; 0: as many as come.' }),
      cpu: quantity('What a pod requests: 50m is a twentieth of a core.').default(cpu),
      memory: z
        .strictObject({
          request: quantity('What a pod requests.').default(memory.request),
          limit: quantity('What a pod may have at most.').default(memory.limit),
        })
        .prefault({})
        .meta({ description: 'Memory of a pod.' }),
      gardenAccess: z.boolean().default(false).meta({
        description:
          'Whether its pods get a kubeconfig of the garden (GARDEN_KUBECONFIG); needs injectGardenKubeconfig in the ControllerDeployment.',
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
    .meta({ description: `How many pods of ${whose} there are; one of them acts.` }),
  resources: z
    .strictObject({
      cpu: quantity('What a pod requests.').default('20m'),
      memory: quantity('What a pod requests.').default(memory),
      memoryLimit: quantity('What a pod may have at most.').default(memoryLimit),
    })
    .prefault({})
    .meta({ description: 'Processor and memory of a pod.' }),
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
            'Registry and path of all images: registry.example.com/trellis. The program follows. It has to be given, but where images has each.',
        }),
      tag: z
        .string()
        .regex(/^$|^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$/)
        .default('')
        .meta({ description: 'Tag of all images. Empty: the version of the chart.' }),
      pullSecrets: z.array(z.string().min(1)).default([]).meta({
        description: 'Names of the Secrets, in the namespace of the release, by which the registry lets in.',
      }),
    })
    .prefault({})
    .meta({ description: 'Where images are.' })

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
      'Name of the seed, in the source of every event. Empty: what gardenlet says (gardener.seed.name); with plain Helm it has to be given.',
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
              .meta({ description: `Image of ${program}, with its registry.` }),
          ]),
        ),
      )
      .default({})
      .meta({
        description:
          'Images of single programs, with their registry and best by digest, as `make images` writes them: {"bridge": "registry.example.com/trellis/bridge@sha256:…"}.',
      }),
    compact: z.boolean().default(false).meta({
      description:
        'Whether all functions of a provider share one process, of the image <provider>-compact; maxScale is the least of theirs, concurrency the sum, and cpu and memory of functions do not count.',
    }),
    logLevel: z.enum(logLevels).default('info').meta({ description: 'Least level that is logged.' }),
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
        description: 'The functions. What is not enabled is not touched: another extension may serve it.',
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
            `Whether the webhooks of ${component} are answered here; no other program may register them.`,
          of: component => `The webhooks of ${component}.`,
        }).meta({ description: 'Whose webhooks are answered.' }),
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
              'What events are stored in: class, config and what else that needs. Empty: whatever class is said below.',
          }),
        class: text(
          'Class of the Broker, where there is no profile for it. Empty: that of the profile, or the default of the cluster.',
        ),
        annotations: labels('Annotations of the Broker, as its class wants them.'),
        config: open(
          'What spec.config of the Broker refers to: apiVersion, kind, name, namespace. Empty: what the profile makes.',
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
            retry: z.int().min(0).default(5).meta({ description: 'How often a delivery is tried again.' }),
            backoffPolicy: z
              .enum(['exponential', 'linear'])
              .default('exponential')
              .meta({ description: 'How the wait before it grows.' }),
            backoffDelay: duration('The first wait, in ISO 8601.').default('PT1S'),
            timeout: duration('How long a delivery may take, in ISO 8601: above the 60 s of a step.').default(
              'PT75S',
            ),
          })
          .prefault({})
          .meta({ description: 'How the Broker delivers.' }),
      })
      .refine(({ profile, class: own }) => profile === '' || own === '', {
        path: ['class'],
        message: 'a profile has a class of its own: leave out class, or profile',
      })
      .prefault({})
      .meta({ description: 'The Broker between the bridge and the functions.' }),
    monitoring: z
      .strictObject({
        enabled: z.boolean().default(false).meta({
          description:
            'Whether there are monitors, rules, a dashboard and log filters; the kinds of the operators of Prometheus and fluent-bit are there wherever Gardener is. Pods have no annotations for Prometheus then.',
        }),
        namespace: z
          .string()
          .regex(dnsName)
          .default(usualMonitoring.namespace)
          .meta({ description: 'Where the Prometheus and the Plutono of the seed look.' }),
        prometheus: z
          .string()
          .regex(dnsName)
          .default(usualMonitoring.prometheus)
          .meta({ description: 'Label prometheus, by which a Prometheus finds its monitors and rules.' }),
      })
      .prefault({})
      .meta({ description: 'What watches the installation.' }),
    networkPolicies: z
      .strictObject({
        enabled: z.boolean().default(true).meta({
          description:
            "Whether there are network policies beside Gardener's own, which let Knative in and the bridge out.",
        }),
        gateways: z
          .array(z.strictObject(pods))
          .default(usual.gateways.map(({ namespace, labels = {} }) => ({ namespace, labels })))
          .meta({
            description:
              'The pods by which Knative Serving brings requests of the cluster to functions, beside its activator.',
          }),
      })
      .prefault({})
      .meta({ description: 'Network policies of the namespace.' }),
    eventPolicies: z
      .strictObject({
        enabled: z.boolean().default(false).meta({
          description:
            "Whether nobody but the bridge may send to the Broker. Knative's feature authentication-oidc has to be on: it refuses them otherwise.",
        }),
      })
      .prefault({})
      .meta({ description: 'EventPolicies of the Broker.' }),
    verticalPodAutoscaler: z
      .strictObject({
        enabled: z.boolean().default(true).meta({
          description:
            'Whether bridge and webhooks are sized by what they take; the kind is there wherever Gardener is.',
        }),
      })
      .prefault({})
      .meta({ description: 'VerticalPodAutoscalers.' }),
    extensions: z.array(z.string().regex(extensionEntry)).default([]).meta({
      description:
        'The ControllerRegistrations whose heartbeats the bridge renews, with the types that each is for: provider-foo/foo+foo-dns. Without types: all that are installed here. Empty: the name of the release.',
    }),
    priorityClassName: z.string().default('gardener-system-900').meta({
      description:
        'PriorityClass of bridge and webhooks. In the runtime cluster of a garden its own comes before it. Empty: none.',
    }),
    podLabels: labels('Labels of all pods, beside their own.'),
    gardener: open('What gardenlet and gardener-operator add: nothing to be set by hand.'),
    global: open("Helm's own, for charts that have this one among them."),
    usablePorts: z
      .array(z.int())
      .default([])
      .meta({ description: 'What gardenlet adds while a self-hosted control plane starts.' }),
  })

export type ChartValues = z.output<ReturnType<typeof chartValuesSchema>>
