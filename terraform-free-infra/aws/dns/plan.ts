import { aliasSuffixOf } from './alias-targets.ts'
import { canonicalName, sameName } from './names.ts'
import { type DesiredRecord, desiredRecordSets } from './record-set.ts'
import type { RecordChange, RecordSet, RecordWindow } from './route53.ts'
import { sameRecordSet } from './same-record-set.ts'

/** A change, and the sentence that says it to people. */
export interface PlannedChange extends RecordChange {
  readonly sentence: string
}

/** What to list so that a plan sees every record set it may have to touch. */
export const windowFor = ({ name, type }: DesiredRecord): RecordWindow =>
  type === 'CNAME' ? { name } : { name, fromType: type }

/**
 * The changes that make a wish true, for one batch; empty when nothing differs. What was written last time in the
 * other form (a CNAME that is now an alias or the reverse, the alias of a family that is no longer wished) is deleted
 * in the same batch, because Route 53 keeps no CNAME next to other types. A record set that is not ours stays, and
 * Route 53's refusal is the answer.
 */
export const planRecord = (
  record: DesiredRecord,
  observed: readonly RecordSet[],
): readonly PlannedChange[] => {
  const desired = desiredRecordSets(record)
  const left = ours(record, observed).filter(set => !desired.some(({ type }) => type === set.type))
  const missing = desired.filter(set => !observed.some(there => sameRecordSet(set, there)))
  return [
    ...left.map(deletion),
    ...missing.map((set): PlannedChange => {
      const exists = observed.some(there => there.type === set.type && isSimple(record, there))
      return { action: 'UPSERT', set, sentence: `${exists ? 'change' : 'create'} ${phrase(set)}` }
    }),
  ]
}

/** The changes that remove whatever a wish stands for, exactly as it is there; empty when there is nothing. */
export const planRemoval = (
  record: DesiredRecord,
  observed: readonly RecordSet[],
): readonly PlannedChange[] => ours(record, observed).map(deletion)

/**
 * The record sets of the name that belong to the wish: those of its type whatever they hold (as the Go extension
 * has it), and for a CNAME the aliases to AWS endpoints that a CNAME turns into.
 */
const ours = (record: DesiredRecord, observed: readonly RecordSet[]): readonly RecordSet[] =>
  observed.filter(
    set =>
      isSimple(record, set) &&
      (set.type === record.type || (record.type === 'CNAME' && isOwnAlias(record, set))),
  )

const isSimple = (record: DesiredRecord, set: RecordSet): boolean =>
  set.setIdentifier === undefined && sameName(set.name, record.name)

/** The present value counts too: an alias of the Go extension, with a suffix of AWS that only it knows. */
const isOwnAlias = ({ values }: DesiredRecord, { type, alias }: RecordSet): boolean => {
  if (alias === undefined || (type !== 'A' && type !== 'AAAA')) return false
  const suffix = aliasSuffixOf(canonicalName(alias.dnsName))
  const [target] = values
  return (
    suffix?.hostedZoneId === alias.hostedZoneId || (target !== undefined && sameName(target, alias.dnsName))
  )
}

const deletion = (set: RecordSet): PlannedChange => ({
  action: 'DELETE',
  set,
  sentence: `delete ${phrase(set)}`,
})

const phrase = ({ type, name, alias, values = [] }: RecordSet): string =>
  alias ? `${type} alias ${name} to ${alias.dnsName}` : `${type} ${name} with ${values.join(', ')}`
