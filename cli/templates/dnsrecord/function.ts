import { defineFunction } from '../../../shared/runtime/define-function.ts'
import { cloudPermissions } from '../cloud/cloud.ts'
import { dnsRecordActuator } from './actuator.ts'

/** DNSRecords of type `acme`: one name with its values. */
export const definition = defineFunction({
  name: 'acme-dnsrecord',
  kind: 'DNSRecord',
  type: 'acme',
  classes: ['shoot', 'seed', 'garden'],
  permissions: cloudPermissions,
  create: () => dnsRecordActuator,
})
