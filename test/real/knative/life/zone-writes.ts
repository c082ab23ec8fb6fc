import type { Aws, CallRecord } from '../../../../sandbox/providers/aws/simulator/aws.ts'

/** Every change of a record that took effect at Route 53, oldest first. */
export interface ZoneWrites {
  /** The values that were written for a record, one for each write. `-`: it was deleted. */
  of(record: string): readonly string[]
  /** The number of writes. */
  count(): number
}

interface Change {
  readonly Action: string
  readonly ResourceRecordSet: {
    readonly Name: string
    readonly ResourceRecords?: readonly { readonly Value: string }[]
  }
}

export const recordZoneWrites = (aws: Aws): ZoneWrites => {
  const writes = new Map<string, string[]>()
  let count = 0
  const add = ({ Action, ResourceRecordSet }: Change) => {
    const name = ResourceRecordSet.Name.split('.')[0] ?? ''
    const value = Action === 'DELETE' ? '-' : (ResourceRecordSet.ResourceRecords?.[0]?.Value ?? '')
    writes.set(name, [...(writes.get(name) ?? []), value])
    count += 1
  }
  aws.calls.onCall(({ action, outcome, input }: CallRecord) => {
    if (action !== 'ChangeResourceRecordSets' || outcome === 'error') return
    const { Changes } = (input as { readonly ChangeBatch: { readonly Changes: readonly Change[] } })
      .ChangeBatch
    Changes.forEach(add)
  })
  return { of: record => writes.get(record) ?? [], count: () => count }
}
