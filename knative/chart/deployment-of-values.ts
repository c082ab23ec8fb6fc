import type { ExtensionClass } from '../../shared/contract/constants.ts'
import { valueAt } from '../../shared/decode/record-of.ts'
import { readOverwrite } from '../../shared/images/images.ts'
import { functionService } from '../../shared/runtime/runtime.ts'
import { messageOf } from '../../shared/text/message-of.ts'
import type { WebhookDefinition } from '../../shared/webhooks/admission/admission.ts'
import {
  compactPrograms,
  type DeployedProcess,
  type Deployment,
  deploymentOf,
  type EnvironmentVariable,
  type PodsOfNamespace,
  rabbitmqWorkers,
  tooFewWorkers,
  withProfile,
} from '../knative.ts'
import type { ChartValues, LocatedFunction } from './values/chart-values.ts'
import { ValuesError } from './values/parse-values.ts'

export interface Release {
  readonly name: string
  readonly namespace: string
  /** The version of the chart: the default tag of images. */
  readonly version: string
  /** The version of the library that generates the chart. It differs for the chart of an author's project. */
  readonly libraryVersion: string
}

export interface Installable {
  readonly functions: readonly LocatedFunction[]
  readonly webhooks: readonly WebhookDefinition[]
}

/** The Secret with the garden's token, as gardenlet names it (docs/contract/registration.md#garden-access). */
const gardenTokenSecret = 'garden-access-extension'

/** Returns the deployment that a release of the chart with these values installs: its templates render the objects. */
export const deploymentOfValues = (
  values: ChartValues,
  { functions, webhooks }: Installable,
  { name, namespace, version, libraryVersion }: Release,
): Deployment => {
  const { image, images, bridge, webhook, broker } = values
  const programs: Readonly<Record<string, string | undefined>> = images
  const { gardener } = values
  const enabled = functions
    .filter(definition => values.functions[definition.name]?.enabled)
    .map(definition => ({ ...definition, classes: classesIn(gardener, definition.classes) }))
    .filter(({ classes }) => classes.length > 0)
  // The image of the seed process has one program for each provider.
  const compact = values.compact || values.mode === 'seed-process'
  const deployment = deploymentOf({
    name,
    namespace,
    makesNamespace: false,
    mode: values.mode,
    libraryVersion,
    seed: values.seed || seedOf(values.gardener),
    image: program => programs[program] ?? usualImage(image, program, version),
    imagePullSecrets: image.pullSecrets,
    ...(values.imageVectorOverwrite && { imageVector: checkedVector(values.imageVectorOverwrite) }),
    functions: enabled,
    ...(compact && {
      compact: compactPrograms(enabled).map(program => ({
        ...program,
        env: variablesOf({ ...values.functionEnv, ...sharedEnvironment(values, program.functions) }),
      })),
    }),
    webhooks: webhooks.filter(({ component }) => webhook.components[component]?.enabled),
    serviceOf: definition => {
      const usual = functionService(definition.service)
      const chosen = values.functions[definition.name]
      if (chosen === undefined) return usual
      return {
        ...usual,
        maxScale: { ...usual.maxScale, value: chosen.maxScale },
        concurrency: { ...usual.concurrency, value: chosen.concurrency },
        cpu: chosen.cpu,
        memory: chosen.memory,
        env: [
          ...usual.env,
          ...(compact ? [] : variablesOf({ ...values.functionEnv, ...chosen.env })).map(variable => ({
            ...variable,
            why: ' ',
          })),
        ],
      }
    },
    bridge: processOf(bridge),
    seedProcess: processOf(values.seedProcess),
    webhook: processOf(webhook),
    broker: {
      name: broker.name,
      ...(broker.class && { class: broker.class }),
      annotations: broker.annotations,
      ...(Object.keys(broker.config).length > 0 && {
        config: broker.config as unknown as NonNullable<Deployment['broker']['config']>,
      }),
      delivery: broker.delivery,
      rabbitmq: broker.rabbitmq,
    },
    networkPolicies: values.networkPolicies.enabled,
    gateways: values.networkPolicies.gateways.map(podsOf),
    eventPolicies: values.eventPolicies.enabled,
    verticalScaling: values.verticalPodAutoscaler.enabled,
    ...(values.monitoring.enabled && { monitoring: values.monitoring }),
    logLevel: values.logLevel,
    extensions: values.extensions.length > 0 ? values.extensions : [name],
    ...priorityOf(values),
    podLabels: values.podLabels,
    gardenAccess: definition => {
      const secret = textAt(values.gardener, ['garden', 'genericKubeconfigSecretName'])
      return values.functions[definition.name]?.gardenAccess && secret !== undefined
        ? { kubeconfigSecret: secret, tokenSecret: gardenTokenSecret }
        : undefined
    },
  })
  if (broker.profile === 'rabbitmq') checkWorkers(deployment, broker.delivery)
  return broker.profile === '' ? deployment : withProfile(deployment, broker.profile)
}

/** Throws a `ValuesError` for a text that functions would refuse at their start. */
const checkedVector = (text: string): string => {
  try {
    readOverwrite(text)
    return text
  } catch (error) {
    throw new ValuesError(`imageVectorOverwrite: ${messageOf(error)}`, { cause: error })
  }
}

/** Throws a `ValuesError` for a function whose Trigger may hold events for longer than RabbitMQ allows. */
const checkWorkers = (
  { functions, serviceOf }: Deployment,
  delivery: ChartValues['broker']['delivery'],
): void => {
  for (const definition of functions) {
    const why = tooFewWorkers(rabbitmqWorkers(serviceOf(definition)), delivery)
    if (why !== undefined) throw new ValuesError(`functions.${definition.name}: ${why}`)
  }
}

const processOf = ({ replicas, resources, env }: ChartValues['bridge']): DeployedProcess => ({
  replicas,
  resources,
  env: variablesOf(env),
})

/** Throws a `ValuesError` if the registry is not set, as the template does. */
export const usualImage = (
  { registry, tag }: ChartValues['image'],
  program: string,
  version: string,
): string => {
  if (registry === '')
    throw new ValuesError(`image.registry: set the registry of the images, or the image in images.${program}`)
  return `${registry}/${program}:${tag || version}`
}

/**
 * Returns the environment that single functions of a process set. Throws a `ValuesError` if two functions set different
 * values.
 */
const sharedEnvironment = (
  { functions: chosen }: ChartValues,
  functions: readonly Pick<LocatedFunction, 'name'>[],
): Readonly<Record<string, string>> => {
  const given: Record<string, string> = {}
  for (const { name } of functions)
    for (const [variable, value] of Object.entries(chosen[name]?.env ?? {})) {
      if (given[variable] !== undefined && given[variable] !== value)
        throw new ValuesError(
          `functions.${name}.env.${variable}: another function of its process has another value; they share it`,
        )
      given[variable] = value
    }
  return given
}

const podsOf = ({ namespace, labels = {} }: PodsOfNamespace): PodsOfNamespace => ({
  namespace,
  ...(Object.keys(labels).length > 0 && { labels }),
})

export const priorityOf = ({
  priorityClassName,
  gardener,
}: Pick<ChartValues, 'priorityClassName' | 'gardener'>): Pick<Deployment, 'priorityClassName'> => {
  const name = textAt(gardener, ['runtimeCluster', 'priorityClassName']) ?? priorityClassName
  return { priorityClassName: name === '' ? undefined : name }
}

/** A self-hosted shoot is its own seed, and a garden has none. Returns '' if nothing names one. */
const seedOf = (gardener: ChartValues['gardener']): string =>
  textAt(gardener, ['seed', 'name']) ??
  textAt(gardener, ['shoot', 'name']) ??
  (isRuntime(gardener) ? 'garden' : '')

/** True in the runtime cluster of a garden. */
const isRuntime = (gardener: ChartValues['gardener']): boolean =>
  textAt(gardener, ['runtimeCluster', 'enabled']) !== undefined

/** A runtime cluster may also be a seed: each of its two installations serves only its own classes. */
const classesIn = (
  gardener: ChartValues['gardener'],
  classes: readonly ExtensionClass[],
): readonly ExtensionClass[] => {
  if (isRuntime(gardener)) return classes.filter(name => name === 'garden')
  if (textAt(gardener, ['seed', 'name']) === undefined || classes.length === 1) return classes
  return classes.filter(name => name !== 'garden')
}

export const textAt = (value: unknown, path: readonly string[]): string | undefined => {
  const found = valueAt(value, ...path)
  return found === undefined || found === null ? undefined : String(found)
}

/** Sorted by name, as Helm iterates over a map. */
export const variablesOf = (env: Readonly<Record<string, string>>): readonly EnvironmentVariable[] =>
  Object.entries(env)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => ({ name, value }))
