import { functionService } from '../../shared/runtime/runtime.ts'
import {
  type BrokerDelivery,
  type CompactProgram,
  compactPrograms,
  type Deployment,
  deploymentOf,
  type EnvironmentVariable,
  type Explained,
  explained,
  withProfile,
} from '../knative/knative.ts'
import { gardenTokenSecret, type Installable } from './deployment-of-values.ts'
import { blockExpression, expression, expressionText, numberExpression } from './template/placeholder.ts'

/** The switches in the objects that values control for any functions, as template expressions. */
export const switches = {
  pullSecrets: '.Values.image.pullSecrets',
  podLabels: '.Values.podLabels',
  priorityClass: '(include "trellis.priorityClassName" .)',
  brokerClass: '(include "trellis.brokerClass" .)',
  brokerConfig: '(include "trellis.brokerConfig" .)',
  brokerChannel: '(and (include "trellis.brokerChannel" .) (not .Values.broker.config))',
  rabbitmqConfig: '(and (eq .Values.broker.profile "rabbitmq") (not .Values.broker.config))',
  rabbitmq: 'eq .Values.broker.profile "rabbitmq"',
  triggerAnnotations: 'has .Values.broker.profile (list "kafka" "rabbitmq")',
  monitoring: '.Values.monitoring.enabled',
  scrapeAnnotations: 'not .Values.monitoring.enabled',
  networkPolicies: '.Values.networkPolicies.enabled',
  eventPolicies: '.Values.eventPolicies.enabled',
  verticalScaling: '.Values.verticalPodAutoscaler.enabled',
  gardenAccess: '$gardenAccess',
} as const

export type SwitchName = keyof typeof switches

/** The template variable with the pods' environment from the values. */
const givenEnvironment: EnvironmentVariable = {
  name: blockExpression('include "trellis.env" $env'),
  value: '',
}

/** `single`: one process per function; `compact`: one per provider. */
export type TemplateMode = 'single' | 'compact'

/**
 * Returns the deployment for the templates: every setting of an operator is an expression, where `deploymentOfValues`
 * has a value. With all switches on, it has the objects of every broker profile.
 */
export const templateDeployment = (
  { functions, webhooks }: Installable,
  mode: TemplateMode,
  isThere: (item: string) => boolean,
  isOn: (name: SwitchName) => boolean,
): Deployment => {
  const installed = functions.filter(({ name }) => isThere(functionItem(name)))
  const deployment = deploymentOf({
    name: expression('.Release.Name'),
    namespace: expression('.Release.Namespace'),
    makesNamespace: false,
    seed: expression('include "trellis.seed" .'),
    image: program => expression(`include "trellis.image" (list $ "${program}")`),
    imagePullSecrets: isOn('pullSecrets') ? [blockExpression('include "trellis.pullSecrets" .')] : [],
    functions: installed,
    compact: mode === 'single' ? [] : compactPrograms(installed).map(program => shared(program, functions)),
    webhooks: webhooks.filter(({ component }) => isThere(componentItem(component))),
    serviceOf: ({ name, service }) => {
      const usual = functionService(service)
      const values = mode === 'single' ? '$function' : `(index .Values.functions "${name}")`
      return {
        ...usual,
        maxScale: { ...usual.maxScale, value: numberExpression(`${values}.maxScale`) },
        concurrency: { ...usual.concurrency, value: numberExpression(`${values}.concurrency`) },
        cpu: expression('$function.cpu'),
        memory: {
          request: expression('$function.memory.request'),
          limit: expression('$function.memory.limit'),
        },
        env: mode === 'single' ? [...usual.env, { ...givenEnvironment, why: ' ' }] : usual.env,
      }
    },
    bridge: processOf('bridge'),
    webhook: processOf('webhook'),
    broker: {
      name: expression('.Values.broker.name'),
      ...(isOn('brokerClass') && { class: expression('include "trellis.brokerClass" .') }),
      annotations: { [blockExpression('include "trellis.yaml" .Values.broker.annotations')]: '' },
      ...(isOn('brokerConfig') && {
        config: {
          [blockExpression('include "trellis.brokerConfig" .')]: '',
        } as unknown as NonNullable<Deployment['broker']['config']>,
      }),
      rabbitmq: {
        name: expression('.Values.broker.rabbitmq.name'),
        namespace: expression('.Values.broker.rabbitmq.namespace'),
      },
      ...(isOn('triggerAnnotations') && {
        triggerAnnotations: ({ concurrency, maxScale }) => ({
          [blockExpression(
            `include "trellis.triggerAnnotations" (list $ ${expressionText(concurrency.value)} ${expressionText(maxScale.value)})`,
          )]: '',
        }),
      }),
      delivery: {
        retry: numberExpression('.Values.broker.delivery.retry'),
        backoffPolicy: expression('.Values.broker.delivery.backoffPolicy') as BrokerDelivery['backoffPolicy'],
        backoffDelay: expression('.Values.broker.delivery.backoffDelay'),
        timeout: expression('.Values.broker.delivery.timeout'),
      },
    },
    networkPolicies: isOn('networkPolicies'),
    gateways: [{ namespace: blockExpression('include "trellis.peers" .Values.networkPolicies.gateways') }],
    eventPolicies: isOn('eventPolicies'),
    verticalScaling: isOn('verticalScaling'),
    ...(isOn('monitoring') && {
      monitoring: {
        namespace: expression('.Values.monitoring.namespace'),
        prometheus: expression('.Values.monitoring.prometheus'),
      },
    }),
    scrapeAnnotations: isOn('scrapeAnnotations'),
    logLevel: expression('.Values.logLevel'),
    extensions: [expression('include "trellis.extensions" .')],
    priorityClassName: isOn('priorityClass')
      ? expression('include "trellis.priorityClassName" .')
      : undefined,
    podLabels: isOn('podLabels') ? { [blockExpression('include "trellis.yaml" .Values.podLabels')]: '' } : {},
    gardenAccess: () =>
      isOn('gardenAccess')
        ? {
            kubeconfigSecret: expression('include "trellis.gardenKubeconfig" .'),
            tokenSecret: gardenTokenSecret,
          }
        : undefined,
  })
  return { ...deployment, broker: { ...deployment.broker, ...profileObjects(deployment, isOn) } }
}

/** The objects that profiles add for the storage of events. */
const profileObjects = (
  deployment: Deployment,
  isOn: (name: SwitchName) => boolean,
): Pick<Deployment['broker'], 'configObjects' | 'policies'> => {
  const { config: _, ...broker } = deployment.broker
  const withoutConfig = { ...deployment, broker }
  const channel = withProfile(withoutConfig, 'in-memory').broker.configObjects ?? []
  const rabbitmq = withProfile(withoutConfig, 'rabbitmq').broker
  return {
    configObjects: [
      ...(isOn('brokerChannel') ? channel.map(ofAnyChannel) : []),
      ...(isOn('rabbitmqConfig') ? (rabbitmq.configObjects ?? []) : []),
    ],
    policies: isOn('rabbitmq') ? (rabbitmq.policies ?? []) : [],
  }
}

/** The ConfigMap of any channel. */
const ofAnyChannel = ({ object }: Explained): Explained =>
  explained({
    ...object,
    data: { 'channel-template-spec': expression('include "trellis.brokerChannel" .') },
  } as Explained['object'])

/** Returns a program with the settings that its functions' values imply. */
const shared = ({ name, functions }: CompactProgram, all: Installable['functions']): CompactProgram => {
  const own = compactPrograms(all).find(program => program.name === name)?.functions ?? []
  const names = namesText(own)
  return {
    name,
    functions,
    maxScale: numberExpression(`include "trellis.compact.maxScale" (list $ ${names})`),
    concurrency: numberExpression(`include "trellis.compact.concurrency" (list $ ${names})`),
    env: [givenEnvironment],
  }
}

/** Formats names as a list in a template. */
export const namesText = (functions: readonly { readonly name: string }[]): string =>
  `(list ${functions.map(({ name }) => JSON.stringify(name)).join(' ')})`

/** The items for a function and for the webhooks of a component in template conditions. */
export const functionItem = (name: string): string => `function ${name}`
export const componentItem = (component: string): string => `webhooks ${component}`

const processOf = (name: 'bridge' | 'webhook'): Deployment['bridge'] => ({
  replicas: numberExpression(`.Values.${name}.replicas`),
  resources: {
    cpu: expression(`.Values.${name}.resources.cpu`),
    memory: expression(`.Values.${name}.resources.memory`),
    memoryLimit: expression(`.Values.${name}.resources.memoryLimit`),
  },
  env: [givenEnvironment],
})
