import { fileURLToPath } from 'node:url'
import { brokerKindOf, loadManifests, type ProfileName } from '../../sandbox/knative/knative.ts'

const folder = (name: string): string => fileURLToPath(new URL(`../../knative/${name}`, import.meta.url))

/** What a cluster has after `kubectl apply -k` of the base with the profile, as far as brokers read it. */
export const applied = async (name: ProfileName) => {
  const manifests = await loadManifests([folder('base')], folder(`profiles/${name}`))
  const [broker] = manifests.brokers
  if (broker === undefined) throw new Error(`${name} has no Broker`)
  return { ...manifests, broker, kind: brokerKindOf(broker, manifests) }
}
