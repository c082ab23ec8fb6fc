import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { when } from '../../../shared/lists/when.ts'
import { logFormats } from '../../../shared/runtime/runtime.ts'
import type { Deployment } from '../../deployment.ts'
import { type Explained, explained } from '../../objects/explained.ts'
import { hasWebhooks } from '../has-webhooks.ts'
import { componentLogFormats } from './log-formats.ts'

/** The labels by which Gardener's fluent-bit finds its objects. The second one is the newer name. */
const labels = { 'fluentbit.gardener/type': 'seed', 'fluentbit.gardener.cloud/type': 'seed' } as const

/**
 * Configures fluent-bit to parse the JSON lines of our processes, and of queue-proxy beside functions. The seed process
 * writes the lines of its functions.
 */
export const logObjects = (deployment: Deployment): readonly Explained[] => {
  const { name, namespace, mode } = deployment
  const processes = ['bridge', ...(hasWebhooks(deployment) ? ['webhook'] : [])]
  // Includes the namespace, because pods of others may have such names. A Knative pod is named
  // <service>-00001-deployment-….
  const ofService = (container: string) =>
    `^kubernetes\\..*-\\d{5}-deployment-.*${namespace}.*${container}-.*$`
  return [
    explained(parser(`${name}-parser`, 'time'), 'Log lines of Trellis: time, level, name, msg, and fields.'),
    ...processes.map(process =>
      explained(
        filter(
          `${name}-${process}`,
          `${name}-parser`,
          { match: `kubernetes.*${process}-*${namespace}*${process}-*` },
          ours,
        ),
      ),
    ),
    ...when(
      mode !== 'seed-process',
      explained(parser(`${name}-queue-proxy-parser`, 'timestamp')),
      explained(filter(`${name}-function`, `${name}-parser`, { matchRegex: ofService('function') }, ours)),
      explained(
        filter(
          `${name}-function--queue-proxy`,
          `${name}-queue-proxy-parser`,
          { matchRegex: ofService('queue-proxy') },
          { message: 'log', logger: 'source' },
        ),
      ),
    ),
    ...componentObjects(deployment),
  ]
}

/** Parses the lines of the components that functions create in the seed, in all namespaces. */
const componentObjects = ({ name, functions }: Deployment): readonly Explained[] => {
  const logs = new Map(
    functions.flatMap(one => one.logs ?? []).map(one => [`${name}-${one.pod}--${one.container}`, one]),
  )
  const formats = logFormats.filter(format => [...logs.values()].some(one => one.format === format))
  return [
    ...formats.map(format =>
      explained(parserObject(`${name}-${format}-parser`, componentLogFormats[format].parser)),
    ),
    ...[...logs].map(([filterName, { pod, container, format }]) =>
      explained(
        filterObject(filterName, { match: `kubernetes.*${pod}*${container}*` }, `${name}-${format}-parser`, [
          ...componentLogFormats[format].rules,
        ]),
      ),
    ),
  ]
}

/** Renames the fields of a line as Gardener's own filter for extensions does. */
const ours = { level: 'severity', msg: 'log', name: 'source' } as const

/** Times are RFC 3339 with milliseconds or more. */
const parser = (name: string, timeKey: string): KubernetesObject =>
  parserObject(name, { json: { timeKey, timeFormat: '%Y-%m-%dT%H:%M:%S.%LZ' } })

const parserObject = (name: string, spec: object): KubernetesObject => ({
  apiVersion: 'fluentbit.fluent.io/v1alpha2',
  kind: 'ClusterParser',
  metadata: { name, labels },
  spec,
})

const filter = (
  name: string,
  parserName: string,
  match: { readonly match: string } | { readonly matchRegex: string },
  rename: Readonly<Record<string, string>>,
): KubernetesObject =>
  filterObject(
    name,
    match,
    parserName,
    Object.entries(rename).map(([from, to]) => ({ rename: { [from]: to } })),
  )

const filterObject = (
  name: string,
  match: object,
  parserName: string,
  rules: readonly object[],
): KubernetesObject => ({
  apiVersion: 'fluentbit.fluent.io/v1alpha2',
  kind: 'ClusterFilter',
  metadata: { name, labels },
  spec: {
    ...match,
    filters: [
      { parser: { keyName: 'log', parser: parserName, reserveData: true } },
      ...when(rules.length > 0, { modify: { rules } }),
    ],
  },
})
