import { defineFunction } from '../../../shared/runtime/define-function.ts'
import type { FunctionDeps } from '../../../shared/runtime/runtime.ts'
import {
  type AwsConnection,
  connectionOf,
  waitSettings,
} from '../../../terraform-free-infra/aws/account/aws.ts'
import { infrastructureActuator } from './actuator.ts'

/** Infrastructures of type `aws`. */
export const definition = defineFunction({
  name: 'aws-infrastructure',
  kind: 'Infrastructure',
  type: 'aws',
  classes: ['shoot'],
  settings: waitSettings,
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
  create: ({ waitScale }, deps: FunctionDeps<AwsConnection>) =>
    infrastructureActuator({ connection: connectionOf(deps), clock: deps.clock, waitScale }),
})
