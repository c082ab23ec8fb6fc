import { defineFunction } from '../../../shared/runtime/define-function.ts'
import type { FunctionDeps } from '../../../shared/runtime/runtime.ts'
import { type AwsConnection, createRequestHandler } from '../../../terraform-free-infra/aws/account/aws.ts'
import { dnsRecordActuator } from './actuator.ts'
import { dnsRecordSettings } from './settings.ts'

/** "Quotas", Route 53 Developer Guide. An AWS other than Amazon's has limits that only its throttling shows. */
const perSecondOf = ({
  AWS_ENDPOINT_URL,
  AWS_ENDPOINT_URL_ROUTE_53,
}: NodeJS.ProcessEnv): number | undefined => (AWS_ENDPOINT_URL || AWS_ENDPOINT_URL_ROUTE_53 ? undefined : 5)

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
      why: 'All processes of an account share five Route 53 calls per second; one process combines the calls of its records.',
    },
    concurrency: {
      value: stepsAtOnce,
      why: 'Steps wait for Route 53 and the API server most of the time.',
    },
  },
  create: (
    _,
    {
      clock,
      onRequest,
      connection = {
        requestHandler: createRequestHandler({ mostCalls: stepsAtOnce }),
        route53PerSecond: perSecondOf(process.env),
      },
    }: FunctionDeps<AwsConnection>,
  ) => dnsRecordActuator({ connection: { onRequest, ...connection }, clock }),
})
