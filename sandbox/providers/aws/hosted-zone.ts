import * as z from 'zod'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import type { Account } from './simulator/aws.ts'
import { addHostedZone, hostedZones, isProblem, isWithin, parseName } from './simulator/aws.ts'

const record = z.object({
  spec: z.object({ name: z.string().min(1), zone: z.string().optional() }),
  status: z.object({ zone: z.string().optional() }).optional(),
})

/** The id of a zone that no event names. */
const inventedZone = 'ZREPLAY00000000000'

/**
 * Gives the account the hosted zone that a DNSRecord needs: the one that its spec or status names, else one that its
 * name is in. Any other object, and a record whose name is none, needs nothing.
 */
export const giveHostedZoneOf = (account: Pick<Account, 'state'>, object: KubernetesObject): void => {
  const parsed = object.kind === 'DNSRecord' ? record.safeParse(object).data : undefined
  if (parsed === undefined) return
  const { spec, status } = parsed
  const named = (spec.zone || status?.zone)?.replace(/^\/hostedzone\//, '')
  const name = parseName(spec.name)
  if (isProblem(name)) return
  const zones = hostedZones(account)
  if (zones.some(zone => (named === undefined ? isWithin(name.text, zone.name) : zone.id === named))) return
  const id = named ?? `${inventedZone}${String(zones.length).padStart(3, '0')}`
  addHostedZone(account, { id, name: parentOf(name.text) })
}

/** `example.com.` for `api.example.com.`; a name of two labels is a zone itself. */
const parentOf = (name: string): string => {
  const labels = name.replace(/\.$/, '').split('.')
  return `${(labels.length > 2 ? labels.slice(1) : labels).join('.')}.`
}
