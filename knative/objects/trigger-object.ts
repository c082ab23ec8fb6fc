import { eventTypePrefix } from '../../shared/events/events.ts'
import type { FunctionDefinition } from '../../shared/runtime/runtime.ts'
import { routedTypes } from '../../shared/secondary/secondary.ts'
import type { Deployment } from '../deployment.ts'
import { type Explained, explained } from './explained.ts'

/** Routes the events of a function's kind and types to its Service, or to a path of another one. */
export const triggerObject = (
  { namespace, broker, serviceOf }: Pick<Deployment, 'namespace' | 'broker' | 'serviceOf'>,
  definition: FunctionDefinition,
  { service = definition.name, uri }: { readonly service?: string; readonly uri?: string } = {},
): Explained => {
  const { name } = definition
  const types = routedTypes(definition)
  const annotations = broker.triggerAnnotations?.(serviceOf(definition))
  const filters = filterOf(definition, types)
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
    types.length === 1
      ? [
          [
            ['spec', 'filter'],
            'Matches attributes of the event: one Trigger for all operations, on every class of broker.',
          ],
        ]
      : [
          [
            ['spec', 'filter'],
            'For a class of broker without support for `filters`. The function ignores events of other types.',
          ],
          [['spec', 'filters'], 'One Trigger for all types and operations. `filters` overrides `filter`.'],
        ],
  )
}

/**
 * A broker without support for `filters` uses the `filter` beside it. The function then ignores events of other types.
 */
const filterOf = ({ kind, secondary }: FunctionDefinition, [type = '', ...others]: readonly string[]) =>
  others.length === 0
    ? { filter: { attributes: { kind, provider: type } } }
    : {
        filter: {
          attributes: { kind, ...(secondary && { type: `${eventTypePrefix}${kind.toLowerCase()}.observe` }) },
        },
        filters: [{ exact: { kind } }, { any: [type, ...others].map(provider => ({ exact: { provider } })) }],
      }
