import * as z from 'zod'
import { kinds } from '../../../shared/contract/kinds.ts'
import { secrets } from '../../../shared/lifecycle/lifecycle.ts'
import { defineFunction } from '../../../shared/runtime/define-function.ts'
import type { FunctionDeps } from '../../../shared/runtime/runtime.ts'
import { type AwsConnection, createRequestHandler } from '../../../terraform-free-infra/aws/account/aws.ts'
import { bastionActuator } from './actuator.ts'

const bastionSettings = z.object({
  waitScale: z.coerce.number().positive().max(1).default(1).meta({
    description:
      'Factor for the waits between two checks of AWS. Use less than 1 only for a faster, simulated AWS.',
  }),
})

/** Bastions of type `aws`. */
export const definition = defineFunction({
  name: 'aws-bastion',
  kind: 'Bastion',
  type: 'aws',
  classes: ['shoot'],
  settings: bastionSettings,
  permissions: [
    {
      resource: secrets,
      verbs: ['get'],
      why: 'A Bastion has no Secret reference: it uses the Secret of its shoot.',
    },
    {
      resource: kinds.Infrastructure.resource,
      verbs: ['get'],
      why: 'Its status contains the VPC of the shoot.',
    },
  ],
  service: {
    reaches: ['public-networks'],
    maxScale: {
      value: 2,
      why: 'Bastions are few and live for hours; EC2 limits requests per account.',
    },
    concurrency: {
      value: 100,
      why: 'Steps wait for AWS and the API server most of the time.',
    },
  },
  create: (
    { waitScale },
    {
      clock,
      onRequest,
      connection = { requestHandler: createRequestHandler() },
    }: FunctionDeps<AwsConnection>,
  ) => bastionActuator({ connection: { onRequest, ...connection }, clock, waitScale }),
})
