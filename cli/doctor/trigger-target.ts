import * as z from 'zod'
import {
  attributesFilterSchema,
  createFilter,
  type Filter,
  filterExpressionSchema,
} from '../../sandbox/knative/knative.ts'
import { recordOf, stringOf } from '../../shared/decode/record-of.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'

/** The target of a Trigger. */
export interface TriggerTarget {
  readonly trigger: KubernetesObject
  /** The Knative Service; '' for another subscriber. */
  readonly service: string
  /** The function there: from the URI's path if several share a Service, else the name of the Service. */
  readonly functionName: string
  readonly broker: string
  /** Undefined: its filter cannot be evaluated here. */
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
  const service = kind === 'Service' ? stringOf(name) : ''
  const path = stringOf(subscriber.uri).replace(/^\/|\/$/g, '')
  const { data } = filterFields.safeParse(spec)
  return {
    trigger,
    service,
    functionName: path === '' || path.includes('/') ? service : path,
    broker: stringOf(spec.broker),
    passes: data && createFilter(data),
  }
}
