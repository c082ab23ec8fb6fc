import { kinds } from '../../../shared/contract/kinds.ts'
import { secrets } from '../../../shared/lifecycle/lifecycle.ts'
import { defineFunction } from '../../../shared/runtime/define-function.ts'
import type { FunctionDeps } from '../../../shared/runtime/runtime.ts'
import {
  type AwsConnection,
  connectionOf,
  waitSettings,
} from '../../../terraform-free-infra/aws/account/aws.ts'
import { bastionActuator } from './actuator.ts'

/** Bastions of type `aws`. */
export const definition = defineFunction({
  name: 'aws-bastion',
  kind: 'Bastion',
  type: 'aws',
  classes: ['shoot'],
  settings: waitSettings,
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
    maxScale: { value: 2, why: 'Bastions are few and live for hours; EC2 limits requests per account.' },
    concurrency: { value: 100, why: 'Steps wait for AWS and the API server most of the time.' },
  },
  create: ({ waitScale }, deps: FunctionDeps<AwsConnection>) =>
    bastionActuator({ connection: connectionOf(deps), clock: deps.clock, waitScale }),
})
