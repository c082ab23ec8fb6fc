import type { Behaviour } from './behaviour.ts'
import { ec2Behaviours } from './ec2/behaviours.ts'
import { efsBehaviours } from './efs-behaviours.ts'
import { elbBehaviours } from './elb-behaviours.ts'
import { elbv2Behaviours } from './elbv2-behaviours.ts'
import { iamBehaviours } from './iam/behaviours.ts'
import { route53Behaviours } from './route53-behaviours.ts'
import { s3Behaviours } from './s3/behaviours.ts'
import { stsBehaviours } from './sts-behaviours.ts'

/** The behaviours of all services, for the AWS simulator and moto. */
export const behaviours: readonly { readonly service: string; readonly behaviours: readonly Behaviour[] }[] =
  [
    ...ec2Behaviours,
    ...iamBehaviours,
    ...s3Behaviours,
    { service: 'ELB', behaviours: elbBehaviours },
    { service: 'ELBv2', behaviours: elbv2Behaviours },
    { service: 'EFS', behaviours: efsBehaviours },
    { service: 'Route 53', behaviours: route53Behaviours },
    { service: 'STS', behaviours: stsBehaviours },
  ]
