import { kinds } from '../shared/contract/kinds.ts'
import { type FunctionDefinition, functionService } from '../shared/runtime/runtime.ts'
import { type Comment, commented, yamlOf } from './commented.ts'
import { functionObjects } from './function-objects.ts'

const madeBy = 'Made from its definition by make manifests.'

/** Whether a file was written by `make manifests`, and no hand. */
export const isMadeManifest = (text: string): boolean => (text.split('\n')[0] ?? '').endsWith(madeBy)

/**
 * What makes a function run in a seed, as YAML documents: Trigger, Service, ServiceAccount, ClusterRole and its binding,
 * with the reasons as comments.
 */
export const functionManifest = (definition: FunctionDefinition): string => {
  const choices = functionService(definition.service)
  const { trigger, service, serviceAccount, clusterRole, clusterRoleBinding } = functionObjects(definition)
  const template = ['spec', 'template']
  const container = [...template, 'spec', 'containers', 0]
  const rules = clusterRole.rules
  const own = rules.length - definition.permissions.length
  const documents = [
    commented(trigger, [
      [[], `${plural(definition.kind)} of type ${orOf(definition.types)}. ${madeBy}`],
      [
        ['spec', 'filter'],
        trigger.spec.filters === undefined
          ? "Exact matches on the events' own extensions: one Trigger for all operations, on every class of broker."
          : 'For a class of broker that knows no `filters`: the function leaves the events of other types alone.',
      ],
      ...(trigger.spec.filters === undefined
        ? []
        : [
            [
              ['spec', 'filters'],
              'One Trigger for all types and operations. They stand before `filter`.',
            ] as const,
          ]),
    ]),
    commented(service, [
      [[...template, 'metadata', 'annotations', 'autoscaling.knative.dev/max-scale'], choices.maxScale.why],
      [
        [
          ...template,
          'metadata',
          'annotations',
          'autoscaling.knative.dev/scale-to-zero-pod-retention-period',
        ],
        'Objects come in waves (a maintenance window); the next one should not find a cold process.',
      ],
      [[...template, 'spec', 'containerConcurrency'], choices.concurrency.why],
      [
        [...template, 'spec', 'timeoutSeconds'],
        "Above the broker's delivery timeout. It is the pod's termination grace too: time to drain.",
      ],
      // The first variable is the log level.
      ...choices.env.map(({ why }, index): Comment => [[...container, 'env', index + 1], why]),
    ]),
    commented(serviceAccount, []),
    commented(clusterRole, [
      [
        [],
        'What the lifecycle calls: merge patches on the object and its status, live reads of what it refers to.',
      ],
      ...rules.flatMap(({ resources }, index): readonly Comment[] =>
        index < own && resources?.includes('namespaces')
          ? [[['rules', index], 'Namespaces: whether one belongs to a shoot, where there is no Cluster.']]
          : [],
      ),
      ...definition.permissions.map(({ why }, index): Comment => [['rules', own + index], why]),
    ]),
    commented(clusterRoleBinding, []),
  ]
  return yamlOf(documents)
}

const orOf = (types: readonly string[]): string =>
  new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(types)

/** As in a sentence: `DNSRecords`, `BackupEntries`. */
const plural = (kind: FunctionDefinition['kind']): string => {
  const name = kinds[kind].plural
  const end = name.startsWith(kind.toLowerCase()) ? kind.length : kind.length - 1
  return `${kind.slice(0, end)}${name.slice(end)}`
}
