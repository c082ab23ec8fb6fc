import { fileURLToPath } from 'node:url'
import { type BrokerName, brokerKindOf, loadManifests } from '../../sandbox/knative/knative.ts'

const folder = (name: string): string => fileURLToPath(new URL(`../../knative/${name}`, import.meta.url))

/** Returns the objects that brokers read after `kubectl apply -k` of the base with the profile. */
export const applied = async (name: BrokerName) => {
  const manifests = await loadManifests([folder('base')], folder(`profiles/${name}`))
  const [broker] = manifests.brokers
  if (broker === undefined) throw new Error(`${name} has no Broker`)
  return { ...manifests, broker, kind: brokerKindOf(broker, manifests) }
}
