import * as z from 'zod'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import type { Account } from './simulator/aws.ts'
import { addHostedZone, hostedZones, isProblem, isWithin, parseName } from './simulator/aws.ts'

const record = z.object({
  spec: z.object({ name: z.string().min(1), zone: z.string().optional() }),
  status: z.object({ zone: z.string().optional() }).optional(),
})

/** The id of a zone if no event names one. */
const inventedZone = 'ZREPLAY00000000000'

/**
 * Adds the hosted zone of a DNSRecord to the account: the one in its spec or status, or one for its name. Ignores other
 * objects and records with an invalid name.
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

/** `example.com.` for `api.example.com.`. A name of two labels is its own zone. */
const parentOf = (name: string): string => {
  const labels = name.replace(/\.$/, '').split('.')
  return `${(labels.length > 2 ? labels.slice(1) : labels).join('.')}.`
}
