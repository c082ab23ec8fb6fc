import * as z from 'zod'
import {
  attributesFilterSchema,
  createFilter,
  type Filter,
  filterExpressionSchema,
} from '../../sandbox/knative/knative.ts'
import { recordOf } from '../../shared/contract/record-of.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { textOf } from './conditions.ts'

/** What a Trigger brings where. */
export interface TriggerTarget {
  readonly trigger: KubernetesObject
  /** The Knative Service; '' for another subscriber. */
  readonly service: string
  /** The function there: that of the URI's path where several share a Service, else what the Service is called. */
  readonly functionName: string
  readonly broker: string
  /** Undefined: it has a filter that cannot be worked out here. */
  readonly passes: Filter | undefined
}

const filterFields = z.object({
  filter: attributesFilterSchema.optional(),
  filters: z.array(filterExpressionSchema).optional(),
})

export const targetOf = (trigger: KubernetesObject): TriggerTarget => {
  const spec = recordOf(trigger.spec)
  const subscriber = recordOf(spec.subscriber)
  const { kind, name } = recordOf(subscriber.ref)
  const service = kind === 'Service' ? textOf(name) : ''
  const path = textOf(subscriber.uri).replace(/^\/|\/$/g, '')
  const { data } = filterFields.safeParse(spec)
  return {
    trigger,
    service,
    functionName: path === '' || path.includes('/') ? service : path,
    broker: textOf(spec.broker),
    passes: data && createFilter(data),
  }
}
