import type { ChangeResourceRecordSetsCommandInput } from '@aws-sdk/client-route-53'
import type { CallRecord } from '../../sandbox/aws/calls/call-log.ts'

/** Whether a call changes nothing. */
export const isRead = ({ action }: Pick<CallRecord, 'action'>): boolean =>
  /^(?:Get|List|Describe|Head|AssumeRole)/.test(action)

/** What a change of record sets does, in a few words: ` UPSERT A api.example.com`; '' for other calls. */
export const changesOf = (call: Pick<CallRecord, 'action' | 'input'>): string => {
  if (call.action !== 'ChangeResourceRecordSets') return ''
  // The codec has read the input by the operation's own schema.
  const { ChangeBatch } = call.input as Partial<ChangeResourceRecordSetsCommandInput>
  return (ChangeBatch?.Changes ?? [])
    .map(({ Action, ResourceRecordSet: set }) => {
      const to =
        set?.AliasTarget?.DNSName ?? (set?.ResourceRecords ?? []).map(({ Value }) => Value).join(', ')
      return ` ${Action} ${set?.Type} ${set?.Name} → ${to}`
    })
    .join(';')
}
