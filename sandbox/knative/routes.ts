import { createFilter, type Filter } from './filter.ts'
import { type Delivery, idOf, type Manifests, type Trigger } from './manifests.ts'

/** A Trigger, ready to route by. */
export interface TriggerRoute {
  readonly name: string
  readonly trigger: Trigger
  readonly filter: Filter
  readonly delivery: Delivery
}

const noDelivery: Delivery = { retry: 0, backoffPolicy: 'exponential' }

/** The routes of each Broker, by `<namespace>/<name>`. */
export const routesOf = ({ brokers, triggers }: Manifests): ReadonlyMap<string, readonly TriggerRoute[]> =>
  new Map(
    brokers.map(broker => [
      idOf(broker.metadata),
      triggers
        .filter(
          ({ metadata, spec }) =>
            idOf({ namespace: metadata.namespace, name: spec.broker }) === idOf(broker.metadata),
        )
        .map(trigger => ({
          name: idOf(trigger.metadata),
          trigger,
          filter: createFilter(trigger.spec),
          // A Trigger's delivery replaces that of its Broker as a whole.
          delivery: trigger.spec.delivery ?? broker.spec.delivery ?? noDelivery,
        })),
    ]),
  )
