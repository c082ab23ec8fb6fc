import { readFile } from 'node:fs/promises'
import * as z from 'zod'
import type { AccountSnapshot } from '../../sandbox/aws/accounts/account.ts'
import { canonicalName, isWithin } from '../../sandbox/aws/route53/name.ts'
import { createZone } from '../../sandbox/aws/route53/new-zone.ts'
import { emptyState, type Route53State } from '../../sandbox/aws/route53/state.ts'
import type { KubernetesObject } from '../../shared/kubernetes/port.ts'
import { UsageError } from '../exit-code.ts'

const record = z.object({
  spec: z.object({ name: z.string().min(1), zone: z.string().optional() }),
  status: z.object({ zone: z.string().optional() }).optional(),
})

/** The id of a zone that no event names. */
const inventedZone = 'ZREPLAY00000000000000'

/**
 * The account with the hosted zone that a DNSRecord needs: the one that its spec or status names, else one that its
 * name is in. Any other object needs nothing.
 */
export const withZoneOf = (account: AccountSnapshot, object: KubernetesObject): AccountSnapshot => {
  const parsed = object.kind === 'DNSRecord' ? record.safeParse(object).data : undefined
  if (parsed === undefined) return account
  const state = (account.services.route53 ?? emptyState()) as Route53State
  const id = (parsed.spec.zone || parsed.status?.zone)?.replace(/^\/hostedzone\//, '')
  const name = canonicalName(parsed.spec.name)
  const known = state.zones.some(zone => (id === undefined ? isWithin(name, zone.name) : zone.id === id))
  if (known) return account
  const zone = createZone({
    id: id ?? unusedId(state),
    name: parentOf(name),
    callerReference: `replay ${state.zones.length}`,
  })
  return {
    ...account,
    services: { ...account.services, route53: { ...state, zones: [...state.zones, zone] } },
  }
}

const unusedId = ({ zones }: Route53State): string =>
  zones.length === 0 ? inventedZone : inventedZone.slice(0, -2) + String(zones.length).padStart(2, '0')

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
