import * as z from 'zod'
import { deploymentOf } from '../../knative/knative.ts'
import { logLevels } from '../../shared/log/log.ts'
import { type FunctionDefinition, functionService } from '../../shared/runtime/runtime.ts'

/** What a chart is made for. */
export interface ChartContents {
  readonly functions: readonly FunctionDefinition[]
  /** The components of the webhooks of seeds and shoots: `provider-aws`. */
  readonly components: readonly string[]
  /** What is installed unless the values say otherwise; the rest is there to be chosen. */
  readonly isEnabled: (nameOrComponent: string) => boolean
}

/**
 * A registry has a dot or a port in its name, or is localhost: a name without one would be looked up in a public registry. No
 * pattern here looks ahead, as Helm's expressions cannot.
 */
const registryPattern = /^(?:localhost(?::[0-9]+)?|[a-z0-9-]+[.:][a-z0-9.:-]*)(?:\/[a-z0-9._-]+)*$/
const imagePattern =
  /^(?:localhost(?::[0-9]+)?|[a-z0-9-]+[.:][a-z0-9.:-]*)(?:\/[a-z0-9._-]+)+(?::[A-Za-z0-9._-]+)?(?:@sha256:[0-9a-f]{64})?$/

const quantity = (description: string) =>
  z
    .string()
    .regex(/^\d+(?:\.\d+)?(?:m|[kKMGT]i?)?$/)
    .meta({ description })

const duration = (description: string) =>
  z
    .string()
    .regex(/^PT(?:(?:\d+M)?\d+(?:\.\d+)?S|\d+M)$/)
    .meta({ description })

const environment = (whose: string) =>
  z
    .record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/), z.string())
    .default({})
    .meta({
      description: `Environment variables of ${whose} by their names; they replace its own of these names.`,
    })

const dnsName = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
const text = (description: string) => z.string().default('').meta({ description })
const labels = (description: string) => z.record(z.string(), z.string()).default({}).meta({ description })

const open = (description: string) => z.looseObject({}).default({}).meta({ description })

const pods = {
  namespace: z.string().regex(dnsName).meta({ description: 'Their namespace.' }),
  labels: labels('Their labels. None: all of the namespace.'),
}

/** What an installation has that nobody has changed. */
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

const processValues = (
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

/** The values of the chart, each with what it is for; `values.yaml`, its schema and its table are made of this. */
export const chartValuesSchema = ({ functions, components, isEnabled }: ChartContents) =>
  z.strictObject({
    seed: text(
      'Name of the seed, in the source of every event. Empty: what gardenlet says (gardener.seed.name); with plain Helm it has to be given.',
    ),
    image: z
      .strictObject({
        registry: z.string().regex(registryPattern).default('ghcr.io/trellis-gardener').meta({
          description: 'Registry and path of all images: registry.example.com/trellis. The program follows.',
        }),
        tag: z
          .string()
          .regex(/^$|^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$/)
          .default('')
          .meta({ description: 'Tag of all images. Empty: the version of the chart.' }),
        pullSecrets: z.array(z.string().min(1)).default([]).meta({
          description:
            'Names of the Secrets, in the namespace of the release, by which the registry lets in.',
        }),
      })
      .prefault({})
      .meta({ description: 'Where images are.' }),
    images: z
      .strictObject(
        Object.fromEntries(
          ['bridge', 'webhook', ...functions.map(({ name }) => name)].map(program => [
            program,
            z
              .string()
              .regex(imagePattern)
              .exactOptional()
              .meta({ description: `Image of ${program}, with its registry.` }),
          ]),
        ),
      )
      .default({})
      .meta({
        description:
          'Images of single programs, with their registry and best by digest, as `make images` writes them: {"aws-dnsrecord": "registry.example.com/trellis/aws-dnsrecord@sha256:…"}.',
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
        components: z
          .strictObject(
            Object.fromEntries(
              components.map(component => [
                component,
                z
                  .strictObject({
                    enabled: z
                      .boolean()
                      .default(isEnabled(component))
                      .meta({
                        description: `Whether the webhooks of ${component} are answered here; no other program may register them.`,
                      }),
                  })
                  .prefault({})
                  .meta({ description: `The webhooks of ${component}.` }),
              ]),
            ),
          )
          .prefault({})
          .meta({ description: 'Whose webhooks are answered.' }),
        ...processValues('the webhooks', { memory: '100Mi', memoryLimit: '384Mi' }),
      })
      .prefault({})
      .meta({ description: 'The webhooks of the seed and its shoots.' }),
    broker: z
      .strictObject({
        name: z.string().regex(dnsName).default('default').meta({ description: 'Name of the Broker.' }),
        class: text(
          'Class of the Broker: MTChannelBasedBroker, Kafka, RabbitMQBroker. Empty: the default of the cluster.',
        ),
        annotations: labels('Annotations of the Broker, as its class wants them.'),
        config: open(
          'What spec.config of the Broker refers to: apiVersion, kind, name, namespace. Empty: nothing.',
        ),
        ingress: z
          .strictObject(pods)
          .default({
            namespace: 'knative-eventing',
            labels: { 'eventing.knative.dev/brokerRole': 'ingress' },
          })
          .meta({ description: 'The pods that take its events.' }),
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
      .prefault({})
      .meta({ description: 'The Broker between the bridge and the functions.' }),
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
    extensions: z.array(z.string().regex(dnsName)).default([]).meta({
      description:
        'Names of the ControllerRegistrations whose heartbeats the bridge keeps. Empty: the name of the release.',
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
