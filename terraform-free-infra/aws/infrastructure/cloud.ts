import type { EC2Client } from '@aws-sdk/client-ec2'
import type { EFSClient } from '@aws-sdk/client-efs'
import type { ElasticLoadBalancingClient } from '@aws-sdk/client-elastic-load-balancing'
import type { ElasticLoadBalancingV2Client } from '@aws-sdk/client-elastic-load-balancing-v2'
import type { IAMClient } from '@aws-sdk/client-iam'

/**
 * AWS as the infrastructure of a shoot needs it, with one set of credentials in one region. What `send` throws is an
 * `ServiceError` or says itself what happens next; pass the signal of the call as `abortSignal`.
 */
export interface AwsCloud {
  readonly region: string
  readonly ec2: Pick<EC2Client, 'send'>
  readonly iam: Pick<IAMClient, 'send'>
  readonly efs: Pick<EFSClient, 'send'>
  readonly elb: Pick<ElasticLoadBalancingClient, 'send'>
  readonly elbv2: Pick<ElasticLoadBalancingV2Client, 'send'>
}
