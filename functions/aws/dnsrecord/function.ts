import { defineFunction } from '../../../shared/runtime/define-function.ts'
import type { FunctionDeps } from '../../../shared/runtime/runtime.ts'
import { type AwsConnection, keepAliveHandler } from '../../../terraform-free-infra/aws/aws.ts'
import { dnsRecordActuator } from './actuator.ts'
import { dnsRecordSettings } from './settings.ts'

/** Route 53 takes five requests a second of an account: so many connections are enough for a hundred records at a time. */
const maxSockets = 16

/** DNSRecords of type `aws-route53`, in every class: gardenlet makes them for shoots and seeds, the operator for gardens. */
export const definition = defineFunction({
  name: 'aws-dnsrecord',
  kind: 'DNSRecord',
  type: 'aws-route53',
  classes: ['shoot', 'seed', 'garden'],
  settings: dnsRecordSettings,
  permissions: [],
  service: {
    reaches: ['public-networks'],
    maxScale: {
      value: 2,
      why: 'Each process keeps its own Route 53 rate; many of them would only throttle each other.',
    },
    concurrency: {
      value: 100,
      why: 'Steps wait for Route 53 and the API server nearly all of their time.',
    },
  },
  create: (
    settings,
    {
      clock,
      onRequest,
      connection = { requestHandler: keepAliveHandler({ maxSockets }), onRequest },
    }: FunctionDeps<AwsConnection>,
  ) => dnsRecordActuator({ connection, settings, clock }),
})
