import type { WorldRow } from '../../../simulation/oracle/oracle.ts'
import type { Aws } from '../simulator/aws.ts'

export type SnapshotFields = Readonly<Record<string, unknown>>

/** Fields that show the order of past calls, and addresses that AWS chooses. */
const past: ReadonlySet<string> = new Set([
  'sequence',
  'allocations',
  'tokens',
  'ipv4Cursors',
  'prepared',
  'createdAt',
  'at',
  'since',
  'macAddress',
  'privateIp',
  'ipv4',
  'reservationId',
  'clientToken',
  'launchIndex',
  // The day of the last work of a bucket's rules.
  'sweptDay',
])
const pastTables: ReadonlySet<string> = new Set([
  'changes',
  'callerReferences',
  'released',
  'supplies',
  'images',
])

/** A resource of an account, with all its fields. */
export interface AwsRow {
  /** `ec2/eu-west-1 subnets`, with the account if it is not the default one. */
  readonly place: string
  readonly value: SnapshotFields
}

/** Returns the rows of all resources in all accounts, also of deleted ones that AWS still lists. */
export const awsRows = (aws: Aws): readonly AwsRow[] =>
  aws.accounts().flatMap(id => {
    const of = id === aws.account().id ? '' : `account ${id} `
    return Object.entries(aws.account(id).present().services).flatMap(([service, state]) =>
      tablesOf(state).flatMap(([table, rows]) =>
        rows.filter(isFields).map(value => ({ place: `${of}${service} ${table}`, value })),
      ),
    )
  })

/** Returns what exists in the accounts: a row for each resource and each DNS record. */
export const awsContents = (aws: Aws): readonly WorldRow[] => contentsOf(awsRows(aws), aws.clock.now())

/** Returns the rows that exist, without the order of past calls. */
export const contentsOf = (rows: readonly AwsRow[], now: number): readonly WorldRow[] => {
  const existing = rows.filter(({ value }) => !isGone(value, now))
  const ids = new Set(existing.map(({ value }) => value.id))
  return existing
    .flatMap(({ place, value }) => {
      const { recordSets = [], association, ...own } = value
      // An address is free as soon as its interface is gone.
      const isUsed = isFields(association) && ids.has(association.networkInterfaceId)
      return [
        { place, value: present({ ...own, ...(isUsed && { association }) }) },
        ...[recordSets].flat().map(record => ({ place: `${place} record`, value: structuredClone(record) })),
      ]
    })
    .map(row => ({ ...row, isUnordered: true }))
}

export const isFields = (value: unknown): value is SnapshotFields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const tablesOf = (state: object): readonly (readonly [string, readonly unknown[]])[] =>
  Object.entries(state).flatMap(([name, table]) => {
    if (pastTables.has(name) || past.has(name)) return []
    if (name === 'rows') return tablesOf(table as object)
    if (Array.isArray(table)) return [[name, table] as const]
    return isFields(table) ? [[name, Object.values(table)] as const] : []
  })

/** AWS lists deleted resources for a while. */
export const isGone = ({ state, deletedAt, terminatedAt, goneAt }: SnapshotFields, now: number): boolean =>
  deletedAt !== undefined ||
  terminatedAt !== undefined ||
  Number(goneAt) <= now ||
  /^(?:deleted|deleting|terminated)$/i.test(String(state ?? ''))

const present = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(present)
  if (!isFields(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, field]) => (past.has(name) ? [] : [[name, present(field)]])),
  )
}
