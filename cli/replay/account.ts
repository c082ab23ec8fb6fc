import { readFile } from 'node:fs/promises'
import * as z from 'zod'
import type { AccountSnapshot } from '../../sandbox/aws/accounts/account.ts'
import { addHostedZone, hostedZones } from '../../sandbox/aws/route53/inventory.ts'
import { isProblem, isWithin, parseName } from '../../sandbox/aws/route53/name.ts'
import type { Account } from '../../sandbox/aws/simulator.ts'
import type { KubernetesObject } from '../../shared/kubernetes/port.ts'
import { UsageError } from '../exit-code.ts'

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
export const giveZoneOf = (account: Pick<Account, 'state'>, object: KubernetesObject): void => {
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

const snapshotSchema = z.looseObject({
  id: z.string().regex(/^\d{12}$/),
  services: z.looseObject({
    route53: z
      .looseObject({
        zones: z.array(
          z.looseObject({
            id: z.string(),
            name: z.string(),
            private: z.boolean(),
            vpcs: z.array(z.looseObject({})),
            nameServers: z.array(z.string()),
            tags: z.array(z.looseObject({})),
            recordSets: z.array(z.looseObject({ Name: z.string(), Type: z.string() })),
          }),
        ),
        changes: z.record(z.string(), z.looseObject({ id: z.string() })),
        callerReferences: z.record(z.string(), z.literal(true)),
      })
      .optional(),
  }),
})

/** Reads an account that a simulator saved. Throws a `UsageError` that names the file and the field. */
export const readAccount = async (path: string): Promise<AccountSnapshot> => {
  let value: unknown
  try {
    value = JSON.parse(await readFile(path, 'utf8'))
  } catch (error) {
    const { code } = error as { readonly code?: string }
    throw new UsageError(code === undefined ? `${path}: not valid JSON` : `${path}: cannot be read (${code})`)
  }
  const parsed = snapshotSchema.safeParse(value)
  if (parsed.success) return parsed.data as unknown as AccountSnapshot
  const field = parsed.error.issues[0]?.path.join('.') || 'the document'
  throw new UsageError(
    `${path}: not an account of the AWS simulator: ${field} is missing or of the wrong kind`,
  )
}
