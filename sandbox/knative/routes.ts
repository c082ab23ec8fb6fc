import { createFilter, type Filter } from './filter.ts'
import { type Delivery, idOf, type Manifests, type Trigger } from './manifests.ts'
import type { Profile } from './profile.ts'

export interface TriggerRoute {
  readonly name: string
  readonly trigger: Trigger
  readonly filter: Filter
  readonly delivery: Delivery
}

const noDelivery: Delivery = { retry: 0, backoffPolicy: 'exponential' }

/**
 * Returns the routes of each Broker, by `<namespace>/<name>`. Omit `profileOf` if the class of the broker does not
 * matter.
 */
export const routesOf = (
  { brokers, triggers }: Pick<Manifests, 'brokers' | 'triggers'>,
  profileOf: (broker: string) => Pick<Profile, 'filters'> = () => ({ filters: true }),
): ReadonlyMap<string, readonly TriggerRoute[]> =>
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
          filter: createFilter(
            profileOf(idOf(broker.metadata)).filters ? trigger.spec : { filter: trigger.spec.filter },
          ),
          // A Trigger's delivery replaces the whole delivery of its Broker.
          delivery: trigger.spec.delivery ?? broker.spec.delivery ?? noDelivery,
        })),
    ]),
  )
