import { defineFunction } from '../../../shared/runtime/define-function.ts'
import type { FunctionDeps } from '../../../shared/runtime/runtime.ts'
import { type AwsConnection, createRequestHandler } from '../../../terraform-free-infra/aws/account/aws.ts'
import { dnsRecordActuator } from './actuator.ts'
import { dnsRecordSettings } from './settings.ts'

/** A step makes one call at a time, so no step waits for the calls of others, even if Route 53 is slow. */
const stepsAtOnce = 100

/**
 * DNSRecords of type `aws-route53`, in every class: gardenlet creates them for shoots and seeds, the operator for
 * gardens.
 */
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
      why: 'Each process has its own Route 53 rate limit; many processes would only throttle each other.',
    },
    concurrency: {
      value: stepsAtOnce,
      why: 'Steps wait for Route 53 and the API server most of the time.',
    },
  },
  create: (
    settings,
    {
      clock,
      onRequest,
      connection = { requestHandler: createRequestHandler({ mostCalls: stepsAtOnce }), onRequest },
    }: FunctionDeps<AwsConnection>,
  ) => dnsRecordActuator({ connection, settings, clock }),
})
