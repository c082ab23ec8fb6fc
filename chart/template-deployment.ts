import type { BrokerDelivery, Deployment, EnvironmentVariable } from '../knative/knative.ts'
import { deploymentOf } from '../knative/knative.ts'
import { functionService } from '../shared/runtime/runtime.ts'
import { gardenTokenSecret, type Installable } from './deployment-of-values.ts'
import { blockExpression, expression, numberExpression } from './template/placeholder.ts'

/** What values switch in the objects, whatever the functions are, with the expressions of templates. */
export const switches = {
  pullSecrets: '.Values.image.pullSecrets',
  podLabels: '.Values.podLabels',
  priorityClass: '(include "trellis.priorityClassName" .)',
  brokerClass: '.Values.broker.class',
  brokerConfig: '.Values.broker.config',
  networkPolicies: '.Values.networkPolicies.enabled',
  eventPolicies: '.Values.eventPolicies.enabled',
  verticalScaling: '.Values.verticalPodAutoscaler.enabled',
  gardenAccess: '(and $function.gardenAccess (include "trellis.gardenKubeconfig" .))',
} as const

export type SwitchName = keyof typeof switches

/** The variable of a template with the environment that values give the pods in it. */
const givenEnvironment: EnvironmentVariable = {
  name: blockExpression('include "trellis.env" $env'),
  value: '',
}

/**
 * The deployment whose objects the templates are: what an operator sets is an expression, told by `deploymentOfValues` as a
 * value.
 */
export const templateDeployment = (
  { functions, webhooks }: Installable,
  isThere: (item: string) => boolean,
  isOn: (name: SwitchName) => boolean,
): Deployment =>
  deploymentOf({
    name: expression('.Release.Name'),
    namespace: expression('.Release.Namespace'),
    makesNamespace: false,
    seed: expression('include "trellis.seed" .'),
    image: program => expression(`include "trellis.image" (list $ "${program}")`),
    imagePullSecrets: isOn('pullSecrets') ? [blockExpression('include "trellis.pullSecrets" .')] : [],
    functions: functions.filter(({ name }) => isThere(functionItem(name))),
    webhooks: webhooks.filter(({ component }) => isThere(componentItem(component))),
    serviceOf: ({ service }) => {
      const usual = functionService(service)
      return {
        ...usual,
        maxScale: { ...usual.maxScale, value: numberExpression('$function.maxScale') },
        concurrency: { ...usual.concurrency, value: numberExpression('$function.concurrency') },
        cpu: expression('$function.cpu'),
        memory: {
          request: expression('$function.memory.request'),
          limit: expression('$function.memory.limit'),
        },
        env: [...usual.env, { ...givenEnvironment, why: ' ' }],
      }
    },
    bridge: processOf('bridge'),
    webhook: processOf('webhook'),
    broker: {
      name: expression('.Values.broker.name'),
      ...(isOn('brokerClass') && { class: expression('.Values.broker.class') }),
      annotations: { [blockExpression('include "trellis.yaml" .Values.broker.annotations')]: '' },
      ...(isOn('brokerConfig') && {
        config: {
          [blockExpression('include "trellis.yaml" .Values.broker.config')]: '',
        } as unknown as NonNullable<Deployment['broker']['config']>,
      }),
      delivery: {
        retry: numberExpression('.Values.broker.delivery.retry'),
        backoffPolicy: expression('.Values.broker.delivery.backoffPolicy') as BrokerDelivery['backoffPolicy'],
        backoffDelay: expression('.Values.broker.delivery.backoffDelay'),
        timeout: expression('.Values.broker.delivery.timeout'),
      },
      ingress: { namespace: blockExpression('include "trellis.peers" (list .Values.broker.ingress)') },
    },
    networkPolicies: isOn('networkPolicies'),
    gateways: [{ namespace: blockExpression('include "trellis.peers" .Values.networkPolicies.gateways') }],
    eventPolicies: isOn('eventPolicies'),
    verticalScaling: isOn('verticalScaling'),
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

/** A function, and the webhooks of a component, in the conditions of templates. */
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
