import * as ec2 from '@aws-sdk/client-ec2'
import * as efs from '@aws-sdk/client-efs'
import * as elb from '@aws-sdk/client-elastic-load-balancing'
import * as elbv2 from '@aws-sdk/client-elastic-load-balancing-v2'
import * as iam from '@aws-sdk/client-iam'
import * as route53 from '@aws-sdk/client-route-53'
import * as s3 from '@aws-sdk/client-s3'
import * as sts from '@aws-sdk/client-sts'
import { ec2Model } from '../../ec2/core/model.ts'
import { efsModel } from '../../efs/service.ts'
import { elbModel } from '../../elb/service.ts'
import { elbv2Model } from '../../elbv2/service.ts'
import { iamModel } from '../../iam/service.ts'
import { route53Model } from '../../route53/service.ts'
import { s3Model } from '../../s3/service.ts'
import { stsModel } from '../../sts/service.ts'
import type { ServiceModel } from '../model.ts'

/** An SDK client and the simulator's model of its service. */
export interface Subject {
  /** The name of the client's package. */
  readonly packageName: string
  readonly model: ServiceModel
  /** The exports of the package. */
  readonly client: Readonly<Record<string, unknown>>
  readonly sdk: { readonly config: { readonly protocol: unknown } }
}

const settings = { region: 'eu-west-1', credentials: { accessKeyId: 'AKIA', secretAccessKey: 'secret' } }

/** Every client that Trellis uses. */
export const subjects: readonly Subject[] = [
  {
    packageName: '@aws-sdk/client-ec2',
    model: ec2Model,
    client: ec2,
    sdk: new ec2.EC2Client(settings),
  },
  {
    packageName: '@aws-sdk/client-efs',
    model: efsModel,
    client: efs,
    sdk: new efs.EFSClient(settings),
  },
  {
    packageName: '@aws-sdk/client-elastic-load-balancing',
    model: elbModel,
    client: elb,
    sdk: new elb.ElasticLoadBalancingClient(settings),
  },
  {
    packageName: '@aws-sdk/client-elastic-load-balancing-v2',
    model: elbv2Model,
    client: elbv2,
    sdk: new elbv2.ElasticLoadBalancingV2Client(settings),
  },
  {
    packageName: '@aws-sdk/client-iam',
    model: iamModel,
    client: iam,
    sdk: new iam.IAMClient(settings),
  },
  {
    packageName: '@aws-sdk/client-route-53',
    model: route53Model,
    client: route53,
    sdk: new route53.Route53Client(settings),
  },
  {
    packageName: '@aws-sdk/client-s3',
    model: s3Model,
    client: s3,
    sdk: new s3.S3Client(settings),
  },
  {
    packageName: '@aws-sdk/client-sts',
    model: stsModel,
    client: sts,
    sdk: new sts.STSClient(settings),
  },
]
