import * as z from 'zod'
import { defineFunction } from '../../../shared/runtime/define-function.ts'
import type { FunctionDeps } from '../../../shared/runtime/runtime.ts'
import { type AwsConnection, createRequestHandler } from '../../../terraform-free-infra/aws/account/aws.ts'
import { infrastructureActuator } from './actuator.ts'

const infrastructureSettings = z.object({
  waitScale: z.coerce.number().positive().max(1).default(1).meta({
    description:
      'Factor for the waits between two checks of AWS. Use less than 1 only for a faster, simulated AWS.',
  }),
})

/** Infrastructures of type `aws`. */
export const definition = defineFunction({
  name: 'aws-infrastructure',
  kind: 'Infrastructure',
  type: 'aws',
  classes: ['shoot'],
  settings: infrastructureSettings,
  permissions: [],
  service: {
    reaches: ['public-networks'],
    maxScale: {
      value: 3,
      why: 'EC2 limits requests per account: more processes for the same accounts would only be throttled.',
    },
    concurrency: {
      value: 32,
      why: 'A step holds the answers of AWS in memory: more parallel steps use more memory and end no sooner.',
    },
  },
  create: (
    { waitScale },
    {
      clock,
      onRequest,
      connection = { requestHandler: createRequestHandler() },
    }: FunctionDeps<AwsConnection>,
  ) => infrastructureActuator({ connection: { onRequest, ...connection }, clock, waitScale }),
})
