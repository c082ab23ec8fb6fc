import * as z from 'zod'
import type { Clock } from '../../../shared/clock/clock.ts'
import type { DNSRecord } from '../../../shared/contract/schemas/dns-record.ts'
import { type ExtensionFunction, extensionFunction } from '../../../shared/runtime/extension-function.ts'
import { hostSettings } from '../../../shared/runtime/host-settings.ts'
import type { AwsConnection } from '../../../terraform-free-infra/aws/aws.ts'
import { keepAliveHandler } from '../../../terraform-free-infra/aws/aws.ts'
import { dnsRecordActuator } from './actuator.ts'
import { type DnsRecordSettings, dnsRecordSettings } from './settings.ts'

/** The name of the Knative Service. */
export const name = 'aws-dnsrecord'

/** Every setting of the process. */
export const settings = z.object({ ...hostSettings, ...dnsRecordSettings.shape })

/** DNSRecords of type `aws-route53`, in every class: gardenlet makes them for shoots and seeds, the operator for gardens. */
export const create = (
  values: DnsRecordSettings,
  {
    clock,
    connection = { requestHandler: keepAliveHandler() },
  }: {
    readonly clock: Clock
    /** How AWS is reached; absent: over the network, at the endpoints that the SDK finds. */
    readonly connection?: AwsConnection
  },
): ExtensionFunction =>
  extensionFunction<DNSRecord>({
    kind: 'DNSRecord',
    type: 'aws-route53',
    classes: ['shoot', 'seed', 'garden'],
    ...dnsRecordActuator({ connection, settings: values, clock }),
  })
