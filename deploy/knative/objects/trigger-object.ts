import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import type { FunctionDefinition } from '../../../shared/runtime/runtime.ts'
import type { Deployment } from '../deployment.ts'
import { type Explained, explained } from './explained.ts'

type TriggerFilter =
  | { readonly exact: Readonly<Record<string, string>> }
  | { readonly any: readonly TriggerFilter[] }

interface RenderedTriggerSpec {
  readonly broker: string
  readonly filter: { readonly attributes: Readonly<Record<string, string>> }
  /** All filters have to match. If set, `filter` is ignored. */
  readonly filters?: readonly TriggerFilter[]
  readonly subscriber: {
    readonly ref: { readonly apiVersion: string; readonly kind: string; readonly name: string }
    /** A path appended to the address of `ref`: `/` and the name of a function. */
    readonly uri?: string
  }
}

interface RenderedTrigger extends KubernetesObject {
  readonly spec: RenderedTriggerSpec
}

/** Routes the events of a function's kind and types to its Service, or to a path of another one. */
export const triggerObject = (
  { namespace, broker, serviceOf }: Pick<Deployment, 'namespace' | 'broker' | 'serviceOf'>,
  definition: FunctionDefinition,
  { service = definition.name, uri }: { readonly service?: string; readonly uri?: string } = {},
): Explained<RenderedTrigger> => {
  const { name, kind, types } = definition
  const annotations = broker.triggerAnnotations?.(serviceOf(definition))
  const filters = filterOf(kind, types)
  return explained(
    {
      apiVersion: 'eventing.knative.dev/v1',
      kind: 'Trigger',
      metadata: { name, namespace, ...(annotations && { annotations }) },
      spec: {
        broker: broker.name,
        ...filters,
        subscriber: {
          ref: { apiVersion: 'serving.knative.dev/v1', kind: 'Service', name: service },
          ...(uri !== undefined && { uri }),
        },
      },
    },
    filters.filters === undefined
      ? [
          [
            ['spec', 'filter'],
            "Exact matches on the events' own extensions: one Trigger for all operations, with every class of broker.",
          ],
        ]
      : [
          [
            ['spec', 'filter'],
            'For a class of broker without `filters`: the function ignores events of other types.',
          ],
          [['spec', 'filters'], 'One Trigger for all types and operations. `filters` override `filter`.'],
        ],
  )
}

/**
 * A broker without support for `filters` uses the `filter` beside it. The function then ignores events of other types.
 */
const filterOf = (
  kind: string,
  [type = '', ...others]: readonly string[],
): Pick<RenderedTriggerSpec, 'filter' | 'filters'> =>
  others.length === 0
    ? { filter: { attributes: { kind, provider: type } } }
    : {
        filter: { attributes: { kind } },
        filters: [{ exact: { kind } }, { any: [type, ...others].map(provider => ({ exact: { provider } })) }],
      }
